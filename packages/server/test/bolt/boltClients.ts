/** Listeners and clients of Bolt that a test opens, and ends together. */
import { vi } from 'vitest';
import type { BoltServer } from '../../src/bolt/boltServer.ts';
import { RawBolt, startTestBolt } from './rawBolt.ts';

const started: BoltServer[] = [];
const opened: RawBolt[] = [];

export async function start(options: Parameters<typeof startTestBolt>[0] = {}): Promise<string> {
  const server = await startTestBolt(options);
  started.push(server);
  return server.url;
}

export async function open(url: string): Promise<RawBolt> {
  const client = await RawBolt.open(url);
  opened.push(client);
  return client;
}

export async function signedIn(url: string, user?: string): Promise<RawBolt> {
  const client = await RawBolt.signedIn(url, user);
  opened.push(client);
  return client;
}

/** Ends what the test opened. */
export async function endBolts(): Promise<void> {
  for (const { socket } of opened.splice(0)) socket.destroy();
  for (const server of started.splice(0)) await server.close(100);
}

export const ALL = { n: -1 };
export const closed = (client: RawBolt) =>
  vi.waitUntil(() => client.isClosed, { timeout: 20_000, interval: 10 });
