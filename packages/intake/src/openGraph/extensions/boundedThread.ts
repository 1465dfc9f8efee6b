/**
 * Processes many texts in a thread with time limits: a text that takes too long is skipped, and the others are
 * still processed.
 */
import { Worker } from 'node:worker_threads';

export type ThreadMessage<Result> = { readonly begun: true } | { readonly result: Result };

export interface ThreadBounds {
  /** Time limit for one text. */
  readonly textMs: number;
  /** Time limit for all texts. */
  readonly allMs: number;
}

export const DEFAULT_BOUNDS: ThreadBounds = { textMs: 5_000, allMs: 30_000 };
const START_MS = 30_000;

/** Milliseconds that an idle thread waits for the next work. */
const REST_MS = 10_000;

/** Why there is no result: the text, or the texts before it, took too long. */
export type NoResult = 'too long' | 'not begun';

export interface BoundedThread {
  readonly script: URL;
  readonly name: string;
  readonly bounds: ThreadBounds;
}

/** @param items sent as structured clones to the thread, which answers each in turn @returns a result for each item */
export async function inBoundedThread<Item, Result>(
  thread: BoundedThread,
  items: readonly Item[],
): Promise<readonly ({ readonly result: Result } | { readonly none: NoResult })[]> {
  const found: ({ readonly result: Result } | { readonly none: NoResult })[] = [];
  const ends = performance.now() + thread.bounds.allMs;
  let end: End = 'text';
  while (found.length < items.length && end !== 'all' && performance.now() < ends) {
    const rest = items.slice(found.length);
    end = await workOnSome<Item, Result>(thread, rest, ends, (result) => found.push({ result }));
    if (end !== 'done') found.push({ none: 'too long' });
  }
  while (found.length < items.length) found.push({ none: 'not begun' });
  return found;
}

/** Why the work on some texts ended: all were processed, or a time limit expired: of one text, or of all texts. */
type End = 'done' | 'text' | 'all';

/** @returns unless all texts were processed, the next one took too long */
async function workOnSome<Item, Result>(
  { script, name, bounds: { textMs } }: BoundedThread,
  items: readonly Item[],
  ends: number,
  onResult: (result: Result) => void,
): Promise<End> {
  const { promise, resolve, reject } = Promise.withResolvers<End>();
  const worker = takeThread(script, name);
  let left = items.length;
  let late = setTimeout(() => reject(new Error(`the thread ${name} did not start`)), START_MS);
  const wait = (): void => {
    clearTimeout(late);
    const leftMs = Math.max(0, ends - performance.now());
    late = setTimeout(() => resolve(textMs < leftMs ? 'text' : 'all'), Math.min(textMs, leftMs));
  };
  const read = (message: ThreadMessage<Result>): void => {
    if ('result' in message) {
      onResult(message.result);
      left--;
    }
    if (left === 0) resolve('done');
    else wait();
  };
  const exit = (): void => reject(new Error(`the thread ${name} ended`));
  worker.on('message', read).once('error', reject).once('exit', exit);
  worker.postMessage(items);
  let end: End = 'text';
  try {
    end = await promise;
    return end;
  } finally {
    clearTimeout(late);
    // Removes only these listeners, because a worker without its internal listeners receives no more
    // messages.
    worker.off('message', read).off('error', reject).off('exit', exit);
    if (end === 'done') rest(script, worker);
    else stop(worker);
  }
}

interface Resting {
  readonly worker: Worker;
  /** Ends the idle state of the thread. */
  readonly take: () => void;
}

/** Idle threads, one per script: reusing one saves the half second that a new thread takes to start. */
const resting = new Map<string, Resting>();

function takeThread(script: URL, name: string): Worker {
  const rested = resting.get(script.href);
  if (rested === undefined) return new Worker(script, { name });
  rested.take();
  return rested.worker;
}

/** An idle thread does not keep the process alive. */
function rest({ href }: URL, worker: Worker): void {
  if (resting.has(href)) {
    stop(worker);
    return;
  }
  const take = (): void => {
    clearTimeout(late);
    worker.off('error', take).off('exit', take).ref();
    resting.delete(href);
  };
  const late = setTimeout(() => {
    take();
    stop(worker);
  }, REST_MS).unref();
  worker.once('error', take).once('exit', take).unref();
  resting.set(href, { worker, take });
}

/** Errors of a terminated thread are ignored. */
function stop(worker: Worker): void {
  worker.on('error', () => {});
  void worker.terminate();
}
