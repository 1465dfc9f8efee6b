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

/** How long a thread that has done its work rests for the next. */
const REST_MS = 10_000;

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
async function workOnSome<Item, Result>(
  { script, name, bounds: { textMs } }: BoundedThread,
  items: readonly Item[],
  ends: number,
  onResult: (result: Result) => void,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const worker = takeThread(script, name);
  let left = items.length;
  let late = setTimeout(() => reject(new Error(`the thread ${name} did not start`)), START_MS);
  const wait = (): void => {
    clearTimeout(late);
    late = setTimeout(() => resolve(false), Math.max(0, Math.min(textMs, ends - performance.now())));
  };
  const read = (message: ThreadMessage<Result>): void => {
    if ('result' in message) {
      onResult(message.result);
      left--;
    }
    if (left === 0) resolve(true);
    else wait();
  };
  const exit = (): void => reject(new Error(`the thread ${name} has ended`));
  worker.on('message', read).once('error', reject).once('exit', exit);
  worker.postMessage(items);
  let isDone = false;
  try {
    isDone = await promise;
    return isDone;
  } finally {
    clearTimeout(late);
    // Those alone: a thread has listeners of its own, without which it hears no more messages.
    worker.off('message', read).off('error', reject).off('exit', exit);
    if (isDone) rest(script, worker);
    else end(worker);
  }
}

interface Resting {
  readonly worker: Worker;
  /** Ends its rest. */
  readonly take: () => void;
}

/** Threads that have done their work, one for each script: the next work begins at once, where a new thread starts in half a second. */
const resting = new Map<string, Resting>();

function takeThread(script: URL, name: string): Worker {
  const rested = resting.get(script.href);
  if (rested === undefined) return new Worker(script, { name });
  rested.take();
  return rested.worker;
}

/** It keeps no process running. */
function rest({ href }: URL, worker: Worker): void {
  if (resting.has(href)) {
    end(worker);
    return;
  }
  const take = (): void => {
    clearTimeout(late);
    worker.off('error', take).off('exit', take).ref();
    resting.delete(href);
  };
  const late = setTimeout(() => {
    take();
    end(worker);
  }, REST_MS).unref();
  worker.once('error', take).once('exit', take).unref();
  resting.set(href, { worker, take });
}

/** An error of a thread that is ended has no effect. */
function end(worker: Worker): void {
  worker.on('error', () => {});
  void worker.terminate();
}
