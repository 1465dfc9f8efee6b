/**
 * `Prefer: generation=N`: a request that is answered from that generation or a newer one. A process that answers next to a worker loads the
 * generations that the worker published, so a job is complete a moment before its graph is shown.
 */
import { apiError, notReady } from '@clew/common';
import type { Deadline } from './deadline.ts';

/** The parts of a source of generations that are used here. */
export interface ShownGenerations {
  current(): { readonly id: number };
  onSwap(listener: (generation: { readonly id: number }) => void): () => void;
}

/** Reserved from the time of a request to say which generation is there. */
const ANSWER_MS = 250;
/** Time after which a client asks again. */
const AGAIN_SECONDS = 10;
const MAX_TIMER_MS = 2_000_000_000;

/** @throws ApiError 503 when the time of the request ends before; the reason of the signal when it aborts */
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
        `generation ${id} did not come in the time that you wait (Prefer: wait); generation ${shown} is there`,
        AGAIN_SECONDS,
      ),
    );
  };
  const timer = setTimeout(late, Math.min(Math.max(0, at - Date.now() - ANSWER_MS), MAX_TIMER_MS));
  try {
    // It may have come before anything listened.
    if (generations.current().id < id) await promise;
  } finally {
    clearTimeout(timer);
    unsubscribe();
    signal.removeEventListener('abort', onAbort);
  }
}
