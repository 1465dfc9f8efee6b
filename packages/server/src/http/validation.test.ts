import { randomBytes } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { routes } from '@clew/api';
import { describe, expect, test } from 'vitest';
import { ADMIN, useTestServer } from '../../test/http/harness.ts';
import { createContractReader } from './validation.ts';

const harness = useTestServer();

describe('parameters', () => {
  test('are converted, with their defaults', async () => {
    const answer = await fetch(
      `${harness.url}/things/7/x?must=1&skip=3&flag=True&type=graph&many=a&many=b&other=9`,
    );
    expect(await answer.json()).toEqual({
      data: {
        params: { id: 7, name: 'x' },
        query: { must: '1', skip: 3, flag: true, type: 'graph', many: ['a', 'b'] },
      },
    });
  });

  test.each([
    ['/things/x/y?must=1', 400, 'id is malformed'],
    ['/things/-1/y?must=1', 400, 'id is malformed'],
    ['/things/99999/y?must=1', 404, 'resource not found'],
    ['/things/99999999999999999999/y?must=1', 400, 'id is malformed'],
    ['/things/1/y', 400, 'missing required query parameter: must'],
    ['/things/1/y?must=', 400, 'missing required query parameter: must'],
    ['/things/1/y?must=1&must=2', 400, 'query parameter "must" is malformed: given more than once'],
    ['/things/1/y?must=1&skip=x', 400, 'query parameter "skip" is malformed: must be an integer'],
    ['/things/1/y?must=1&skip=-1', 400, 'query parameter "skip" is malformed: must be at least 0'],
    ['/things/1/y?must=1&skip=1e99', 400, 'query parameter "skip" is malformed: must be an integer'],
    ['/things/1/y?must=1&skip=99999999999999999999', 400, 'must be an integer'],
    ['/things/1/y?must=1&flag=maybe', 400, 'query parameter "flag" is malformed: must be true or false'],
    [
      '/things/1/y?must=1&type=count',
      400,
      'there are errors in the query parameters: unsupported result type for this query',
    ],
  ])('%s', async (path, status, message) => {
    await harness.expectFailure(path, {}, { status, message });
  });
});

describe('JSON bodies', () => {
  const send = (body: RequestInit['body'], headers: Record<string, string> = {}) => ({
    method: 'POST',
    body,
    headers: { ...ADMIN, 'content-type': 'application/json', ...headers },
  });

  test.each([
    ['plain', send('{"a":1,"unknown":true}')],
    ['with a byte order mark', send('\ufeff{"a":1,"unknown":true}')],
    [
      'with parameters of the type',
      send('{"a":1,"unknown":true}', { 'content-type': 'application/json; charset=utf-8' }),
    ],
    ['gzip', send(gzipSync('{"a":1,"unknown":true}'), { 'content-encoding': 'gzip' })],
    ['x-gzip', send(gzipSync('{"a":1,"unknown":true}'), { 'content-encoding': 'X-GZIP' })],
    ['deflate', send(deflateSync('{"a":1,"unknown":true}'), { 'content-encoding': 'deflate' })],
  ])('%s', async (_, init) => {
    const answer = await fetch(`${harness.url}/json`, init);
    expect(await answer.json()).toEqual({ data: { a: 1 } });
  });

  test('that is not JSON gets the line and the column as a second message', async () => {
    const answer = await fetch(`${harness.url}/json`, send('{\n  "a": 1,\n  "b": x\n}'));
    const { errors } = (await answer.json()) as { errors: { message: string }[] };
    expect(errors.map(({ message }) => message)).toEqual([
      'error unmarshalling JSON payload',
      "Unexpected token 'x' in JSON at position 19 (line 3 column 8)",
    ]);
  });

  test.each([
    ['empty', send(''), 'request body is empty'],
    ['no JSON', send('{"a":'), 'error unmarshalling JSON payload'],
    ['invalid UTF-8', send(Buffer.from([0x22, 0xff, 0x22])), 'error unmarshalling JSON payload'],
    [
      'another type',
      send('{"a":1}', { 'content-type': 'text/plain' }),
      'content type must be application/json',
    ],
    ['a field of another type', send('{"a":"1"}'), 'request body is invalid: a must be an integer'],
    ['a missing field', send('{}'), 'request body is invalid: a is missing'],
    ['no object', send('[]'), 'request body is invalid: it must be an object'],
    [
      'a NUL character',
      send('{"a":1,"b":"x\\u0000"}'),
      'request body is invalid: a text contains a NUL character',
    ],
    [
      'a lone surrogate',
      send('{"a":1,"b":"\\ud800"}'),
      /^request body is invalid: a text contains a lone surrogate/,
    ],
    ['nested deep', send('['.repeat(60_000)), 'request body is invalid: it is nested too deeply'],
    ['nested deep in objects', send('{"a":'.repeat(65)), 'request body is invalid: it is nested too deeply'],
    [
      'too large',
      send(`{"a":1,"b":"${'x'.repeat(64 * 1024)}"}`),
      'could not decode limited payload request into value',
    ],
    [
      'a bomb',
      send(gzipSync(Buffer.alloc(50 * 1024 * 1024)), { 'content-encoding': 'gzip' }),
      'could not decode limited payload request into value',
    ],
    [
      'no gzip',
      send('{"a":1}', { 'content-encoding': 'gzip' }),
      /^Error trying to read request: failed to create reader for gzip encoding: /,
    ],
    [
      'truncated gzip',
      send(gzipSync(randomBytes(5000)).subarray(0, 3000), { 'content-encoding': 'gzip' }),
      /^Error trying to read request: failed to create reader for gzip encoding: /,
    ],
  ])('%s is refused', async (_, init, message) => {
    await harness.expectFailure('/json', init as RequestInit, { status: 400, message });
  });

  test.each(['br', 'zstd', 'gzip, br', 'gzip, gzip', 'deflate, gzip'])(
    'the encoding %s is unknown',
    async (encoding) => {
      await harness.expectFailure('/json', send('x', { 'content-encoding': encoding }), {
        status: 415,
        message: 'content encoding is not supported',
      });
    },
  );

  test('are limited to the size accepted by the route', async () => {
    const body = (size: number) => send(`{"a":1,"b":"${'x'.repeat(size)}"}`);
    expect((await fetch(`${harness.url}/small`, body(900))).status).toBe(200);
    await harness.expectFailure('/small', body(1100), {
      status: 400,
      message: 'could not decode limited payload request into value: the body is larger than 1000 bytes',
    });
  });

  test('brackets in texts do not count as nesting', async () => {
    const answer = await fetch(`${harness.url}/json`, send(`{"a":1,"b":"\\"${'['.repeat(100)}"}`));
    expect(answer.status).toBe(200);
  });

  test('a literal backslash before u0000 is not a NUL', async () => {
    const answer = await fetch(`${harness.url}/json`, send('{"a":1,"b":"\\\\u0000"}'));
    expect(answer.status).toBe(200);
  });

  test('a content type on GET is accepted', async () => {
    expect(
      (await fetch(`${harness.url}/open`, { headers: { 'content-type': 'application/json' } })).status,
    ).toBe(200);
  });

  test('an unexpected body is ignored', async () => {
    expect(
      (await fetch(`${harness.url}/none`, { method: 'POST', body: 'x'.repeat(100_000), headers: ADMIN }))
        .status,
    ).toBe(202);
  });
});

describe('forms', () => {
  test('arrive as fields and files', async () => {
    const form = new FormData();
    form.set('name', 'ü');
    form.set('metadata', new File(['<xml/>'], 'idp.xml', { type: 'application/xml' }));
    const answer = await fetch(`${harness.url}/form`, { method: 'PATCH', body: form, headers: ADMIN });
    expect(await answer.json()).toEqual({
      data: [
        ['name', 'ü'],
        ['metadata', 'idp.xml'],
      ],
    });
  });

  test('may be JSON', async () => {
    const answer = await fetch(`${harness.url}/form`, {
      method: 'PATCH',
      body: '{"name":"x"}',
      headers: { ...ADMIN, 'content-type': 'application/json' },
    });
    expect(await answer.json()).toEqual({ data: { name: 'x' } });
  });

  test('are refused if they cannot be parsed', async () => {
    await harness.expectFailure(
      '/form',
      { method: 'PATCH', body: 'x', headers: { ...ADMIN, 'content-type': 'multipart/form-data' } },
      { status: 400, message: 'request body is invalid: the form cannot be read' },
    );
  });
});

describe('lists with more items than the contract allows', () => {
  const readerOf = (id: string) => {
    const contract = routes.find(({ operationId }) => operationId === id);
    return createContractReader(contract as NonNullable<typeof contract>);
  };

  test('are refused by length, without checking all items', () => {
    const certify = readerOf('CertifyOrRevokeObjects');
    const ids = (count: number) => ({ member_ids: Array.from({ length: count }, (_, at) => at), action: 1 });
    expect(certify.checkBody(ids(10_000))).toEqual(ids(10_000));
    expect(() => certify.checkBody(ids(10_001))).toThrow(
      'member_ids must not have more than 10000 items, and has 10001',
    );
    const change = { action: 'add', selector_name: 'a', sid: 'S-1' };
    const selectors = readerOf('UpdateAssetGroupSelectors');
    expect(() => selectors.checkBody(Array(10_001).fill(change))).toThrow(
      ': it must not have more than 10000',
    );
  });
});
