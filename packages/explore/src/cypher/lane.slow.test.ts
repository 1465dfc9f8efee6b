/** Tests infinite queries in the real threads of a lane with short shares: another owner's short queries do not wait for them. */
import { GenerationThread, plainError } from '@clew/common';
import { emptyGeneration } from '@clew/generation';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CypherRequest, CypherThreadOptions } from './cypherMessages.ts';
import { Lane } from './lane.ts';

const SHARES = { firstMs: 25, maxMs: 200 };
/** Enough that unlimited shares would total about ten seconds. */
const ASKED = 36;
/** The limited share, the query itself, and a busy machine. */
const MAX_MS = 4_000;
const ENDLESS = 'UNWIND range(1, 5000000) AS a UNWIND range(1, 5000) AS b WITH a WHERE a < 0 RETURN a';
const SHORT = 'UNWIND range(1, 100000) AS a WITH a WHERE a < 0 RETURN count(*)';

let database: Awaited<ReturnType<typeof startTestDatabase>>;
let threads: GenerationThread[];
let lane: Lane;
beforeAll(async () => {
  database = await startTestDatabase();
  const { connection } = database;
  const workerData: CypherThreadOptions = { connection, logLevel: 'silent', isPatient: true };
  threads = Array.from(
    { length: 3 },
    () =>
      new GenerationThread({
        ...{ name: 'cypher', workerData, errorOf: plainError },
        script: new URL('./cypherThread.ts', import.meta.url),
      }),
  );
  lane = new Lane({ threads, maxOfOne: 2, takesThreads: true, shares: SHARES });
});
afterAll(async () => {
  await Promise.all(threads.map((thread) => thread.close()));
  await database.close();
});

const generation = emptyGeneration();
const ask = (owner: string, query: string, signal = new AbortController().signal) =>
  lane.run(generation, (): CypherRequest => ({ query, parameters: {}, explain: false }), { owner, signal });

it('short queries are answered within a limited time, and none is refused', async () => {
  await ask('first', SHORT);
  const end = new AbortController();
  const endless = ['a', 'b', 'c'].map((owner) =>
    ask(owner, ENDLESS, end.signal).catch((error: unknown) => error),
  );
  const times: number[] = [];
  for (let at = 0; at < ASKED; at++) {
    const began = performance.now();
    const { rows } = await ask(`quiet ${at}`, SHORT);
    expect(rows.count).toBe(1);
    times.push(performance.now() - began);
  }
  const last = times.slice(-5).toSorted((a, b) => a - b);
  expect(last[2]).toBeLessThan(MAX_MS);
  end.abort(new Error('enough'));
  for (const error of await Promise.all(endless)) expect(error).toMatchObject({ message: 'enough' });
}, 200_000);
