/**
 * Plays recorded requests of clients byte for byte, and compares the whole answers with files in `test/publicRequests`. Times, new ids and
 * signatures are replaced by placeholders. After a change of an answer, update them with `npm test -- publicRequests -u`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientService, startClientService } from '../test/clients/clientService.ts';
import { play, playClient } from '../test/clients/playClients.ts';
import { answerFile, type HttpRecording, readRecordings } from '../test/clients/recordings.ts';

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
  for (const { client, requests } of recordings)
    expect(page).toMatch(new RegExp(`\\| ${RegExp.escape(client)} \\|.*\\| ${requests.length} \\|`));
});

test('a changed answer is noticed', async () => {
  const script = recordings.find(({ requests }) => requests.some(({ name }) => name === 'script-version'));
  const played = await playClient(service, script as HttpRecording);
  expect(played.requests.map(({ isSame }) => isSame)).toEqual(played.requests.map(() => true));
  const [first, ...others] = (script as HttpRecording).requests;
  const changed = { ...first, target: `${first?.target}?changed=true` } as typeof first & object;
  const other = await playClient(service, { ...(script as HttpRecording), requests: [changed, ...others] });
  expect(other.requests.map(({ isSame }) => isSame)).toEqual([false, ...others.map(() => true)]);
  // Another body of an answer of the same request is noticed, too: the recorded text is compared whole.
  const file = readFileSync(answerFile('script-version'), 'utf8');
  expect(played.requests[0]?.text).toBe(file);
});
