/**
 * `Prefer: generation=N`: a request that is answered from that generation or a newer one. A process that answers next to a worker loads the
 * generations that the worker published, so a job is complete a moment before its graph is shown.
 */
import { apiError } from '@clew/common';

/** The parts of a source of generations that are used here. */
export interface ShownGenerations {
  current(): { readonly id: number };
  onSwap(listener: (generation: { readonly id: number }) => void): () => void;
}

/** @throws the reason of the signal, when the time of the request ends before */
export async function waitForGeneration(
  generations: ShownGenerations | undefined,
  id: number,
  signal: AbortSignal,
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
  try {
    // It may have come before anything listened.
    if (generations.current().id < id) await promise;
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', onAbort);
  }
}
