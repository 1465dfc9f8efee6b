/** That long work gives way: its thread, and the processes of an embedded server that work for it. */
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase, type Database } from './database.ts';
import type { ConnectionConfig } from './servers.ts';
import { silentLog, startTestDatabase } from './testing.ts';

const { PRIORITY_BELOW_NORMAL } = constants.priority;
const usual = getPriority(process.pid);

let database: Database;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

/** @returns the priority of the process of the server that answers */
async function priorityOf(settings: Partial<ConnectionConfig>): Promise<number> {
  const opened = connectDatabase({ ...database.connection, ...settings }, silentLog);
  try {
    const { rows } = await opened.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    return getPriority(rows[0].pid);
  } finally {
    await opened.close();
  }
}

describe.skipIf(process.platform !== 'linux')('the priority of work in the background', () => {
  it('is lower for its thread, and not for the others', async () => {
    const script = `
      const { parentPort } = require('node:worker_threads');
      const { readlinkSync } = require('node:fs');
      import(${JSON.stringify(new URL('./priority.ts', import.meta.url))}).then(({ lowerThreadPriority }) => {
        lowerThreadPriority();
        parentPort.postMessage(readlinkSync('/proc/thread-self'));
        setTimeout(() => {}, 60_000);
      });`;
    const worker = new Worker(script, { eval: true });
    const [thread] = (await once(worker, 'message')) as [string];
    expect(getPriority(Number(thread.split('/').at(-1)))).toBe(PRIORITY_BELOW_NORMAL);
    expect(getPriority(process.pid)).toBe(usual);
    await worker.terminate();
  });

  it('is lower for the processes of its connections, where the server is ours', async () => {
    expect(await priorityOf({ isEmbedded: true, isBackground: true })).toBe(PRIORITY_BELOW_NORMAL);
    expect(await priorityOf({ isBackground: true })).toBe(usual);
    expect(await priorityOf({ isEmbedded: true })).toBe(usual);
  });
});
