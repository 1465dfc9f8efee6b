/** A thread that answers `quick` with its number, and never ends any other task. */
import { parentPort, threadId } from 'node:worker_threads';
import type { FromGenerationThread, ToGenerationThread } from '../../src/threads/generationThread.ts';

parentPort?.on('message', (message: ToGenerationThread) => {
  if (message.type === 'end') {
    parentPort?.close();
    return;
  }
  if (message.type !== 'run') return;
  while (message.task !== 'quick');
  parentPort?.postMessage({ id: message.id, result: threadId } satisfies FromGenerationThread);
});
