/** Test helpers. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { EmbeddedLog } from '../src/embeddedPostgres.ts';

export const silentLog: EmbeddedLog = { debug() {}, info() {}, warn() {}, error() {} };

/** @returns a port of this machine that was free a moment ago, for a program that needs a given one */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
