import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@clew/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../test/http/testServer.ts';
import { openPages } from './pages.ts';

const SCRIPT = 'export const answer = 42;\n'.repeat(200);

let directory: string;
let server: TestServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-pages-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><base href="/" /><p>page</p>');
  await writeFile(join(directory, 'assets', 'index-1a2b.js'), SCRIPT);
  await writeFile(join(directory, 'assets', 'index-1a2b.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(directory, '..', 'outside.txt'), 'outside');
  server = await startTestServer([], {}, { pages: openPages(directory) });
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });

describe('the pages of the interface', () => {
  test.each(['/', '/ui', '/ui/fix', '/ui/explore?object=a%2Fb'])(
    'answer %s with the page and its policy',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const policy = answer.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(await answer.text()).toContain('<p>page</p>');
    },
  );

  test('are not sent again if cached', async () => {
    const tag = (await get('/')).headers.get('etag')!;
    const again = await get('/ui/fix', { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('content-security-policy')).toContain("script-src 'self'");
  });

  test('send files with unlimited caching, compressed if accepted', async () => {
    const plain = await get('/assets/index-1a2b.js');
    expect(plain.headers.get('cache-control')).toContain('immutable');
    expect(plain.headers.get('content-encoding')).toBe('identity');
    expect(await plain.text()).toBe(SCRIPT);
    const compressed = await get('/assets/index-1a2b.js', { 'accept-encoding': 'gzip, br' });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(await compressed.text()).toBe(SCRIPT);
  });

  test.each([
    '/assets/other.js',
    '/assets/index-1a2b.js.gz',
    '/index.html',
    '/assets/..%2f..%2foutside.txt',
    '/../outside.txt',
    '/api/v2/unknown',
    '/api',
  ])('leave %s to other handlers, which answer with the error wrapper', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      http_status: 404,
      errors: [{ message: expect.any(String) }],
    });
  });

  test('only answer read requests', async () => {
    expect((await fetch(`${server.url}/ui/fix`, { method: 'POST' })).status).toBe(404);
    const head = await fetch(`${server.url}/ui/fix`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('use their path prefix behind a proxy', () => {
    const pages = openPages(directory);
    const request = { method: 'GET', target: '/', headers: {}, publicUrl: 'https://example.com/clew' };
    const answer = pages(request);
    expect(answer?.status).toBe(200);
    const stream = (answer as Extract<typeof answer, { stream: unknown }>).stream;
    expect(String(stream.read())).toContain('<base href="/clew/" />');
  });

  test('warn at the start and report when the interface was not built', () => {
    const lines: string[] = [];
    const pages = openPages(
      join(directory, 'assets'),
      createLogger('info', { write: (line) => void lines.push(line) }),
    );
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        directory: join(directory, 'assets'),
        msg: 'the web interface was not built: "npm run bundle" builds it',
      }),
    ]);
    const request = { method: 'GET', headers: {}, publicUrl: 'http://localhost' };
    expect(() => pages({ ...request, target: '/ui/fix' })).toThrow('the web interface was not built');
    expect(pages({ ...request, target: '/api/v2/unknown' })).toBeUndefined();
  });
});
