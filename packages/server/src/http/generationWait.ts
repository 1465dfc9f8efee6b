/**
 * `Prefer: generation=N`: answers a request from this generation or a newer one. A process that runs next to a worker loads the generations
 * that the worker published, so a job may be complete a moment before its graph is visible.
 */
import { apiError, lastMoment, notReady } from '@clew/common';
import type { Deadline } from './deadline.ts';

/** The required parts of a source of generations. */
export interface ShownGenerations {
  current(): { readonly id: number };
  onSwap(listener: (generation: { readonly id: number }) => void): () => void;
}

/** Time after which a client should retry. */
const AGAIN_SECONDS = 10;
const MAX_TIMER_MS = 2_000_000_000;

/** @throws ApiError 503 if the request time ends first; the abort reason of the signal */
export async function waitForGeneration(
  generations: ShownGenerations | undefined,
  id: number,
  { signal, at }: Pick<Deadline, 'signal' | 'at'>,
): Promise<void> {
  if (generations === undefined) throw apiError('malformedPreferHeader', { reason: 'no generations here' });
  if (generations.current().id >= id) return;
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason);
  const unsubscribe = generations.onSwap((generation) => {
    if (generation.id >= id) resolve();
  });
  signal.addEventListener('abort', onAbort, { once: true });
  const late = () => {
    const { id: shown } = generations.current();
    reject(
      notReady(
        `generation ${id} was not published within the wait time (Prefer: wait); the current generation is ${shown}`,
        AGAIN_SECONDS,
      ),
    );
  };
  const timer = setTimeout(late, Math.min(Math.max(0, lastMoment(at) - Date.now()), MAX_TIMER_MS));
  try {
    // It may have been published before the listener was added.
    if (generations.current().id < id) await promise;
  } finally {
    clearTimeout(timer);
    unsubscribe();
    signal.removeEventListener('abort', onAbort);
  }
}
