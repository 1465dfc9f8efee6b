/** Runs work that yields between its slices: other requests have their turn after each. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** @throws the reason of the signal when it aborts between two slices */
export async function runInTurns<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const step = work.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
