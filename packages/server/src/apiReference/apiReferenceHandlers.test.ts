import { routes } from '@clew/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startTestServer, type TestServer } from '../../test/http/testServer.ts';
import { apiReferenceHandlers } from './apiReferenceHandlers.ts';

let server: TestServer;

beforeAll(async () => {
  const handlers = apiReferenceHandlers({ version: '1.2.3', edition: 'community' });
  server = await startTestServer(
    routes.filter(({ operationId }) => operationId in handlers),
    handlers,
  );
});

afterAll(() => server.close());

const get = (path: string): Promise<Response> => fetch(new URL(path, `${server.url}/api/v2/docs`));

describe('the API reference', () => {
  test('is a page that loads nothing from other origins', async () => {
    const page = await get('/api/v2/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    const open = [await page.text()];
    const seen = new Set<string>();
    for (const text of open) {
      expect(text).not.toMatch(/https?:\/\//);
      expect(text).not.toMatch(/ style=| on\w+="/);
      const files = [...text.matchAll(/(?:href|src)="(docs\/[^"]+)"|from '\.(\/[^']+)'/g)];
      for (const [, fromPage, fromModule] of files) {
        const path = fromPage ?? `docs${fromModule}`;
        if (seen.has(path)) continue;
        seen.add(path);
        const file = await get(path);
        expect([path, file.status]).toEqual([path, 200]);
        open.push(await file.text());
      }
    }
    expect([...seen].sort()).toEqual([
      'docs/credentials.js',
      'docs/elements.js',
      'docs/examples.js',
      'docs/reference.css',
      'docs/reference.js',
    ]);
  });

  test.each(['docs/other.js', 'docs/..%2f..%2fmain.ts', 'docs/index.html%00'])('has no %s', async (path) => {
    expect([400, 404]).toContain((await get(path)).status);
  });

  test('describes itself in YAML or JSON', async () => {
    expect((await get('/api/v2/spec')).headers.get('content-type')).toBe('application/json');
    const yaml = await fetch(`${server.url}/api/v2/spec`, { headers: { accept: 'text/x-yaml' } });
    expect(yaml.headers.get('content-type')).toBe('text/x-yaml');
    const document = parse(await yaml.text());
    expect(document).toMatchObject({ openapi: '3.0.3', servers: [{ url: '/' }] });
    const newer = await (await get('/api/v2/spec?format=json&openapi=3.1')).json();
    expect(newer).toMatchObject({ openapi: '3.1.0', paths: expect.anything() });
    expect((await get('/api/v2/spec?openapi=2.0')).status).toBe(400);
    for (const answer of [
      await get('/api/v2/spec?format=json'),
      await fetch(`${server.url}/api/v2/spec`, { headers: { accept: 'application/json' } }),
    ])
      expect(await answer.json()).toEqual(document);
    expect((await get('/api/v2/spec?format=xml')).status).toBe(400);
  });
});
