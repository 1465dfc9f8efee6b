import { describe, expect, test } from 'vitest';
import { useTestServer } from '../../test/http/harness.ts';
import { exchangeRaw } from '../../test/http/rawClient.ts';

const harness = useTestServer();

describe('compression of answers', () => {
  const encodingOf = async (path: string, acceptEncoding: string) =>
    (await exchangeRaw(harness.url, `GET ${path} HTTP/1.1\r\nAccept-Encoding: ${acceptEncoding}`)).headers[
      'content-encoding'
    ];

  test.each([
    ['gzip', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['*, gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('for Accept-Encoding %s', async (acceptEncoding, expected) => {
    expect(await encodingOf('/large', acceptEncoding)).toBe(expected);
    expect(await encodingOf('/csv', acceptEncoding)).toBe(expected);
  });

  test('leaves small and empty answers uncompressed', async () => {
    expect(await encodingOf('/open', 'gzip')).toBeUndefined();
    const empty = await exchangeRaw(harness.url, 'GET /empty HTTP/1.1\r\nAccept-Encoding: gzip');
    expect(empty.headers['content-encoding']).toBeUndefined();
    expect(empty.body).toHaveLength(0);
  });

  test('changes nothing in the content', async () => {
    expect(await (await fetch(`${harness.url}/large`)).json()).toEqual({ data: 'x'.repeat(100_000) });
    expect(await (await fetch(`${harness.url}/csv`)).text()).toBe(`a,b\n${'1,2\n'.repeat(1000)}`);
  });
});
