/** A thread that fills its memory, keeps none of it, and releases it when idle. */
import { parentPort } from 'node:worker_threads';
import type { FromGenerationThread, ToGenerationThread } from '../../src/threads/generationThread.ts';
import { giveBackMemory } from '../../src/threads/giveBackMemory.ts';

/** Kept briefly, so that it moves to the memory for long-lived values. */
let values: object[] = [];

parentPort?.on('message', (message: ToGenerationThread) => {
  if (message.type === 'end') parentPort?.close();
  else if (message.type === 'rest') void giveBackMemory();
  else if (message.type === 'run') {
    values = Array.from({ length: Number(message.input) }, (_, at) => ({ at, text: `value ${at}` }));
    const result = values.length;
    values = [];
    parentPort?.postMessage({ id: message.id, result } satisfies FromGenerationThread);
  }
});
