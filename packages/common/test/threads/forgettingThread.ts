/** A thread that answers with its number, and the number of generations that it received since it forgot the last one. */
import { parentPort, threadId } from 'node:worker_threads';
import { answerInTurn } from '../../src/threads/answerInTurn.ts';
import type { FromGenerationThread } from '../../src/threads/generationThread.ts';

const port = parentPort as NonNullable<typeof parentPort>;
let sent = 0;

answerInTurn(
  port,
  async ({ id, message }) => {
    if (message !== undefined) sent++;
    port.postMessage({ id, result: [threadId, sent] } satisfies FromGenerationThread);
  },
  async () => {},
  () => {
    sent = 0;
  },
);
