/** A query thread: runs its tasks one after the other, in memory shared with the event loop. */
import { parentPort } from 'node:worker_threads';
import { throwIfCanceled } from '@clew/graph';
import { CancellableMeter } from '../meter.ts';
import type { QueryData } from '../queryData.ts';
import { GENERATIONS_KEPT, type ResultMessage, type RunMessage, type ThreadMessage } from './messages.ts';
import { QUERY_TASKS } from './queryTasks.ts';

const generations = new Map<number, QueryData>();

parentPort?.on('message', (message: ThreadMessage) => {
  if ('end' in message) {
    parentPort?.close();
    return;
  }
  if ('keep' in message) {
    for (const generation of generations.keys()) {
      if (generation !== message.keep) generations.delete(generation);
    }
    return;
  }
  const answer = run(message);
  parentPort?.postMessage(answer, 'result' in answer ? transferable(answer.result) : []);
});

function run({ id, task, args, generation, data, cancel }: RunMessage): ResultMessage {
  try {
    if (data !== undefined) remember(data);
    throwIfCanceled(cancel);
    const query = QUERY_TASKS[task as keyof typeof QUERY_TASKS] as (...all: unknown[]) => unknown;
    return { id, result: query(generations.get(generation), args, new CancellableMeter(cancel)) };
  } catch (error) {
    const { name, message } = error as Error;
    return { id, error: { name, message } };
  }
}

function remember(data: QueryData): void {
  generations.set(data.generation, data);
  for (const generation of generations.keys()) {
    if (generations.size <= GENERATIONS_KEPT) return;
    generations.delete(generation);
  }
}

/** Columns of a result are transferred without a copy. */
function transferable(result: unknown): ArrayBuffer[] {
  const values = ArrayBuffer.isView(result) ? [result] : Object.values(result ?? {});
  const buffers = values.flatMap((value) =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
  return [...new Set(buffers)];
}
