/** Runs work that yields between its slices, so that other requests run in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** @throws the abort reason between two slices */
export async function runInTurns<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const step = work.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
