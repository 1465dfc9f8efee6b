/**
 * Plays recorded requests of clients byte for byte, and compares the whole answers with files in `test/publicRequests`. Times, new ids and
 * signatures are replaced by placeholders. After a change of an answer, update them with `npm test -- publicRequests -u`.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientService, startClientService } from '../test/clients/clientService.ts';
import { play, playClient } from '../test/clients/playClients.ts';
import { answerFile, type Recording, readRecordings } from '../test/clients/recordings.ts';

let service: ClientService;
const recordings = readRecordings();

beforeAll(async () => {
  service = await startClientService();
}, 120_000);
afterAll(() => service.stop());

describe.each(recordings.map((recording) => [recording.client, recording] as const))('%s', (_, recording) => {
  test.each(recording.requests.map(({ name }) => name))('%s', async (name) => {
    await expect(await play(service, recording, name)).toMatchFileSnapshot(answerFile(name));
  });
});

test('names of requests are unique, and the page of clients has every client', () => {
  const names = recordings.flatMap(({ requests }) => requests.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  const page = readFileSync(join(import.meta.dirname, '../../../docs/clients.md'), 'utf8');
  for (const { client, requests } of recordings) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${client} |`));
    expect(row).toContain(`| ${requests.length} |`);
  }
});

/** Passes bytes on, and renames a member of every answer. */
async function changing(url: string): Promise<{ readonly url: string; close(): void }> {
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.on('data', (bytes) =>
      client.write(bytes.toString('latin1').replace('"data"', '"dat4"'), 'latin1'),
    );
    upstream.on('end', () => client.end());
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

test('a changed answer is noticed', async () => {
  const script = recordings.find(({ requests }) => requests.some(({ name }) => name === 'script-version'));
  const same = async (url: string) =>
    (await playClient({ ...service, url }, script as Recording)).requests.map(({ isSame }) => isSame);
  const all = (script as Recording).requests.map(() => true);
  expect(await same(service.url)).toEqual(all);
  const proxy = await changing(service.url);
  expect(await same(proxy.url)).not.toEqual(all);
  proxy.close();
});
