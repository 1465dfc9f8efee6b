import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ClewClient } from '@clew/client';
import { expect, it } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';
import { CollectorService } from './collectorService.ts';
import { LogSender } from './logSender.ts';
import { RunLog } from './runLog.ts';

interface Sender extends AsyncDisposable {
  readonly sender: LogSender;
  readonly log: RunLog;
  /** Service calls with their bodies. */
  readonly seen: (readonly [string, string])[];
}

/** @param statuses of the answers to calls, in turn; the last one is repeated */
async function senderTo(statuses: Readonly<Record<string, readonly number[]>>): Promise<Sender> {
  const seen: [string, string][] = [];
  const server = createServer(async (request, response) => {
    const call = String(request.url).replace(/^.*\//, '');
    const given = statuses[call] ?? [];
    const status = given[Math.min(seen.filter(([one]) => one === call).length, given.length - 1)];
    seen.push([call, await text(request)]);
    const errors = { http_status: status, timestamp: new Date(0).toISOString(), request_id: '1', errors: [] };
    if (status === 202) response.writeHead(202).end();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(errors));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new ClewClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { tokenId: '00000000-0000-4000-8000-000000000000', tokenKey: 'a2V5' },
    retry: { retries: 0, firstPause: 1, longestPause: 1 },
  });
  const log = new RunLog(testScreen().screen, []);
  return {
    ...{ sender: new LogSender(new CollectorService(client), log), log, seen },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it.each([405, 413, 400, 403])(
  'sends no more lines after a refusal (%d), and keeps them for the end',
  async (status) => {
    await using service = await senderTo({ log: [status], end: [500] });
    service.log.say('one');
    await service.sender.flush();
    service.log.say('two');
    await service.sender.flush();
    expect(service.seen.map(([call]) => call)).toEqual(['log']);
    const ended = service.sender.end({ status: 'COMPLETE', message: '' });
    await expect(ended).rejects.toThrow();
    expect(JSON.parse(service.seen[1][1]).log).toMatch(/^\S+ one\n\S+ two$/);
  },
);

it('repeats lines if the service did not answer, also with a repeated end', async () => {
  await using service = await senderTo({ log: [503, 202, 405], end: [503] });
  service.log.say('one');
  await expect(service.sender.flush()).rejects.toThrow();
  await service.sender.flush();
  expect(service.seen.map(([, body]) => JSON.parse(body).lines)).toEqual([
    [expect.objectContaining({ text: 'one' })],
    [expect.objectContaining({ text: 'one' })],
  ]);
  service.log.say('two');
  for (let tries = 0; tries < 2; tries += 1)
    await expect(service.sender.end({ status: 'COMPLETE', message: '' })).rejects.toThrow();
  const ends = service.seen.filter(([call]) => call === 'end');
  expect(ends.map(([, body]) => JSON.parse(body).log)).toEqual([
    expect.stringMatching(/ two$/),
    expect.stringMatching(/ two$/),
  ]);
});

it('keeps each call within the size limit of the service', async () => {
  await using service = await senderTo({ log: [202], end: [503] });
  // Three bytes per character, and more lines than the 200 that fit in one call.
  for (let at = 0; at < 60; at += 1) service.log.say(`${at} ${'\u20ac'.repeat(20_000)}`);
  await service.sender.flush();
  expect(service.seen.length).toBeGreaterThan(5);
  for (const [, body] of service.seen) expect(Buffer.byteLength(body)).toBeLessThan(1024 * 1024);
  const lines = service.seen.flatMap(([, body]) => JSON.parse(body).lines as { readonly text: string }[]);
  expect(lines.map(({ text: line }) => Number.parseInt(line, 10))).toEqual(
    Array.from({ length: 60 }, (_, at) => at),
  );
  await using refusing = await senderTo({ log: [405], end: [503] });
  for (let at = 0; at < 60; at += 1) refusing.log.say(`${at} ${'\u20ac'.repeat(20_000)}`);
  await expect(refusing.sender.end({ status: 'COMPLETE', message: '' })).rejects.toThrow();
  const [, body] = refusing.seen[1];
  expect(Buffer.byteLength(body)).toBeLessThan(900_000);
  expect(JSON.parse(body).log).toMatch(/^47 earlier lines are only on the screen of the collector\n\S+ 47 /);
});
