/**
 * Counts the work of a query, so that it can be moved off the event loop or stopped. A loop pays for the edges that it is about to visit;
 * when the allowance is used up, the meter decides whether it continues.
 */
import { type Cancel, throwIfCanceled } from '@clew/graph';

export interface Meter {
  /** @throws OverBudget or CanceledError if the query must not continue here */
  spend(units: number): void;
  /** Cancellation for algorithms of the graph package, which check the token themselves. */
  readonly cancel?: Cancel;
}

/** The query takes too long for the current thread; it has changed nothing and can restart elsewhere. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
}

/** Meter for the event loop: allows this number of units, then refuses. */
export class BudgetMeter implements Meter {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new OverBudget();
  }
}

/** Units between two checks of the flag: 1-2 ms of work. */
const LOOK_INTERVAL = 100_000;

/** Meter for worker threads: continues until the flag is raised. */
export class CancellableMeter implements Meter {
  readonly cancel: Cancel;
  #untilLook = LOOK_INTERVAL;

  constructor(cancel: Cancel) {
    this.cancel = cancel;
  }

  spend(units: number): void {
    this.#untilLook -= units;
    if (this.#untilLook > 0) return;
    this.#untilLook = LOOK_INTERVAL;
    throwIfCanceled(this.cancel);
  }
}

/** Meter for tests, and for callers that limit the work in other ways. */
export const unmetered: Meter = { spend: () => {} };
