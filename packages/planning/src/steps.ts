/**
 * Work split into steps of at most some seconds, so that it can be paused between two steps and resumed later. A step may yield an event.
 */
export type Steps<Result, Event = CardsSoFar> = Generator<Event | undefined, Result, void>;

/** Cards found by a search, and the principals exposed after them. */
export interface CardsSoFar {
  readonly cards: number;
  readonly exposed: number;
}

/** Runs all steps at once. @param tell receives the events */
export function finish<Result, Event>(steps: Steps<Result, Event>, tell?: (event: Event) => void): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (value !== undefined) tell?.(value);
  }
}

/** Runs the same steps without their events. */
export function* quiet<Result>(steps: Steps<Result, unknown>): Generator<undefined, Result, void> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    yield undefined;
  }
}
