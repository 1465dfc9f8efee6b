/** Checks many texts within bounds of time: a text that takes too long is at fault, and the others are checked all the same. */
import { Worker } from 'node:worker_threads';

export type MarkdownMessage = { readonly begun: true } | { readonly fault: string | undefined };

export interface MarkdownBounds {
  /** Time for one text. */
  readonly textMs: number;
  /** Time for all of them. */
  readonly allMs: number;
}

const BOUNDS: MarkdownBounds = { textMs: 5_000, allMs: 30_000 };
const START_MS = 30_000;

/** @returns for each text a part that a page must not show; nothing where all of it is allowed */
export async function markdownFaults(
  texts: readonly string[],
  bounds: MarkdownBounds = BOUNDS,
): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  const ends = performance.now() + bounds.allMs;
  while (found.length < texts.length) {
    // Timers have whole milliseconds: one for the rest of the time may be a part of one early.
    if (ends - performance.now() < 1) {
      found.push('was not checked, since the texts before it took too long');
      continue;
    }
    const isDone = await checkSome(texts.slice(found.length), bounds, ends, (fault) => found.push(fault));
    if (!isDone) found.push('takes too long to read');
  }
  return found;
}

/** @returns whether all of them were checked; otherwise the next one took too long */
function checkSome(
  texts: readonly string[],
  { textMs }: MarkdownBounds,
  ends: number,
  onFault: (fault: string | undefined) => void,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const worker = new Worker(new URL('./markdownThread.ts', import.meta.url), {
    name: 'clew-markdown',
    workerData: texts,
  });
  let left = texts.length;
  let late = setTimeout(() => reject(new Error('the thread for Markdown did not start')), START_MS);
  const wait = (): void => {
    clearTimeout(late);
    late = setTimeout(() => resolve(false), Math.max(0, Math.min(textMs, ends - performance.now())));
  };
  worker.on('message', (message: MarkdownMessage) => {
    if ('fault' in message) {
      onFault(message.fault);
      left--;
    }
    if (left === 0) resolve(true);
    else wait();
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread for Markdown has ended')));
  return promise.finally(() => {
    clearTimeout(late);
    worker.removeAllListeners();
    void worker.terminate();
  });
}
