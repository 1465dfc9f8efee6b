/** Works on many texts in a thread within bounds of time: one that takes too long is given up, and the others are worked on all the same. */
import { Worker } from 'node:worker_threads';

export type ThreadMessage<Result> = { readonly begun: true } | { readonly result: Result };

export interface ThreadBounds {
  /** Time for one text. */
  readonly textMs: number;
  /** Time for all of them. */
  readonly allMs: number;
}

export const DEFAULT_BOUNDS: ThreadBounds = { textMs: 5_000, allMs: 30_000 };
const START_MS = 30_000;

/** Why there is no result: the text took too long, or those before it did. */
export type NoResult = 'too long' | 'not begun';

export interface BoundedThread {
  readonly script: URL;
  readonly name: string;
  readonly bounds: ThreadBounds;
}

/** @param items structured clones reach the thread, which answers each in turn @returns a result for each */
export async function inBoundedThread<Item, Result>(
  thread: BoundedThread,
  items: readonly Item[],
): Promise<readonly ({ readonly result: Result } | { readonly none: NoResult })[]> {
  const found: ({ readonly result: Result } | { readonly none: NoResult })[] = [];
  const ends = performance.now() + thread.bounds.allMs;
  while (found.length < items.length) {
    // Timers have whole milliseconds: one for the rest of the time may be a part of one early.
    if (ends - performance.now() < 1) {
      found.push({ none: 'not begun' });
      continue;
    }
    const rest = items.slice(found.length);
    const isDone = await workOnSome<Item, Result>(thread, rest, ends, (result) => found.push({ result }));
    if (!isDone) found.push({ none: 'too long' });
  }
  return found;
}

/** @returns whether all were worked on; otherwise the next one took too long */
function workOnSome<Item, Result>(
  { script, name, bounds: { textMs } }: BoundedThread,
  items: readonly Item[],
  ends: number,
  onResult: (result: Result) => void,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const worker = new Worker(script, { name, workerData: items });
  let left = items.length;
  let late = setTimeout(() => reject(new Error(`the thread ${name} did not start`)), START_MS);
  const wait = (): void => {
    clearTimeout(late);
    late = setTimeout(() => resolve(false), Math.max(0, Math.min(textMs, ends - performance.now())));
  };
  worker.on('message', (message: ThreadMessage<Result>) => {
    if ('result' in message) {
      onResult(message.result);
      left--;
    }
    if (left === 0) resolve(true);
    else wait();
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error(`the thread ${name} has ended`)));
  return promise.finally(() => {
    clearTimeout(late);
    worker.removeAllListeners();
    void worker.terminate();
  });
}
