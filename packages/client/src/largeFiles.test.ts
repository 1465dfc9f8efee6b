/**
 * Tests that large files are compressed in transit, that an answer of another server is reported, and that a request ends within its total
 * time.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerJson } from '../test/testServer.ts';
import { ClewClient } from './client.ts';

let directory: string;
let server: Server;
let url: string;
const uploads: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = [];

let tries = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-large-'));
  server = createServer(async (request, response) => {
    const body = await buffer(request);
    const path = request.url ?? '';
    if (path.endsWith('/version'))
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    if (path.includes('available-domains')) {
      tries++;
      return void response.writeHead(503).end();
    }
    if (/file-upload\/\d+$/.test(path)) uploads.push({ headers: request.headers, body });
    if (/file-upload\/\d+$/.test(path)) return void response.writeHead(202).end();
    answerJson(
      response,
      path.endsWith('start') ? 201 : 200,
      path.endsWith('/end') ? undefined : { data: { id: 7 } },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true });
});

const leftOvers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('clew-upload-'));

it('sends a complete large file with a token in compressed form, and leaves no files behind', async () => {
  const record = `{"ObjectIdentifier":"S-1-5-21-1-2-3-1104","Properties":{"name":"ANN@CORP.LOCAL"}}`;
  const text = `{"data":[${Array.from({ length: 150_000 }, () => record).join()}],"meta":{"type":"users","version":6}}`;
  const [large, small] = [join(directory, 'large.json'), join(directory, 'small.json')];
  await writeFile(large, text);
  await writeFile(small, '{"data":[]}');
  const before = await leftOvers();
  const client = new ClewClient({ url, credentials: { tokenId: 'id', tokenKey: 'key' } });
  expect((await client.uploadFiles([large, small], { parallel: 1 })).rejected).toEqual([]);
  const [first, second] = uploads;
  expect(first.headers['content-encoding']).toBe('gzip');
  expect(first.body.length).toBeLessThan(text.length / 10);
  expect(gunzipSync(first.body).toString()).toBe(text);
  expect([second.headers['content-encoding'], second.body.toString()]).toEqual([undefined, '{"data":[]}']);
  expect(await leftOvers()).toEqual(before);
});

it('reports a web page instead of an answer', async () => {
  await expect(new ClewClient({ url }).call('GetApiVersion', {})).rejects.toThrow(
    'this is a web page: the address is wrong, or a login page is in front of the service',
  );
});

it('ends all attempts within the total time', async () => {
  const retry = { retries: 50, firstPause: 200, longestPause: 400 };
  const client = new ClewClient({ url, retry, totalTimeout: 600, credentials: { session: 'x' } });
  await expect(client.call('GetAvailableDomains', {})).rejects.toMatchObject({ status: 503 });
  // Pauses of 200 ms on average allow a few attempts.
  expect(tries).toBeGreaterThan(0);
  expect(tries).toBeLessThan(25);
});
