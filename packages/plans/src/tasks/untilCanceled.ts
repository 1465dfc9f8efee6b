/** Converts cancellation through a shared flag into a signal, for work that waits for other threads. */
import { type Cancel, throwIfCanceled } from '@clew/graph';

const CANCEL_LOOK_MS = 200;

/** Queries run in separate threads, which stop when no one waits for the answer. */
export function untilCanceled(cancel: () => Cancel | undefined): {
  readonly signal: AbortSignal;
  end(): void;
} {
  const stop = new AbortController();
  const timer = setInterval(() => {
    try {
      throwIfCanceled(cancel());
    } catch (error) {
      stop.abort(error);
    }
  }, CANCEL_LOOK_MS);
  return { signal: stop.signal, end: () => clearInterval(timer) };
}
