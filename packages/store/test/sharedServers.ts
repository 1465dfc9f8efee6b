/**
 * Global setup of the test runner: where tests write, and the databases of all test files. A process next to the runner starts a server for
 * each worker, when its first test file asks for one. So an open transaction of one worker delays no vacuum and moves no mark of another,
 * and a run without a database starts none. The process and its servers end with the run, however it ends.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ClientConfig } from 'pg';
import { makeMemoryDirectory } from './memoryDirectory.ts';

/** Where test files ask for their server: a socket of this machine. */
const ADDRESS_VARIABLE = 'CLEW_TEST_SERVERS';
/** Number of the worker, from 1; set by Vitest. */
const WORKER_VARIABLE = 'VITEST_POOL_ID';

export interface SharedServer {
  readonly connection: ClientConfig;
  /** A migrated database to copy; a server that is not ours has none. */
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
    // The next thread or process with the same script starts with what the first one compiled.
    process.env.NODE_COMPILE_CACHE = join(directory, 'compiled');
  }
  return async () => {
    if (servers.connected) servers.disconnect();
    await ended;
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  };
}

/** @returns the server of this worker; nothing outside of a run that shares servers */
export async function sharedServer(): Promise<SharedServer | undefined> {
  const path = process.env[ADDRESS_VARIABLE];
  if (path === undefined) return undefined;
  const socket = connect({ path, allowHalfOpen: true });
  socket.end(process.env[WORKER_VARIABLE] ?? '');
  return JSON.parse(await text(socket));
}
