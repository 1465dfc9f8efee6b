/**
 * Global setup of the test runner: the directory for test files, and the databases. A process next to the runner starts a server for each
 * worker when its first test file requests one. So an open transaction of one worker does not affect another, and a run without a database
 * starts no server. The process and its servers always end with the run.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ClientConfig } from 'pg';
import { makeMemoryDirectory } from './memoryDirectory.ts';

/** Socket on which test files request their server. */
const ADDRESS_VARIABLE = 'CLEW_TEST_SERVERS';
/** Number of the worker, from 1; set by Vitest. */
const WORKER_VARIABLE = 'VITEST_POOL_ID';

export interface SharedServer {
  readonly connection: ClientConfig;
  /** A migrated database to copy; an external server has none. */
  readonly migrated: string | undefined;
}

/** @returns a function that ends all servers */
export default async function shareServers(): Promise<() => Promise<void>> {
  const directory = makeMemoryDirectory();
  const place = directory === undefined ? [] : [directory];
  const servers = fork(new URL('./serverProcess.ts', import.meta.url), place, { stdio: 'inherit' });
  const ended = once(servers, 'exit');
  const [path] = await Promise.race([
    once(servers, 'message'),
    ended.then(() => Promise.reject(new Error('the process for the databases of tests did not start'))),
  ]);
  process.env[ADDRESS_VARIABLE] = String(path);
  if (directory !== undefined) {
    process.env.TMPDIR = directory;
    // Later threads and processes with the same script use the code that the first one compiled.
    process.env.NODE_COMPILE_CACHE = join(directory, 'compiled');
  }
  return async () => {
    if (servers.connected) servers.disconnect();
    await ended;
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  };
}

/** @returns the server of this worker; `undefined` outside a run that shares servers */
export async function sharedServer(): Promise<SharedServer | undefined> {
  const path = process.env[ADDRESS_VARIABLE];
  if (path === undefined) return undefined;
  const socket = connect({ path, allowHalfOpen: true });
  socket.end(process.env[WORKER_VARIABLE] ?? '');
  return JSON.parse(await text(socket));
}
