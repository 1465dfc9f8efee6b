/** Work in steps of seconds at most: it can stop between two of them, and go on later. Some steps end with an event. */
export type Steps<Result, Event = CardsSoFar> = Generator<Event | undefined, Result, void>;

/** Cards that a search has found, and who is exposed after them. */
export interface CardsSoFar {
  readonly cards: number;
  readonly exposed: number;
}

/** Works all steps at once. @param tell receives the events */
export function finish<Result, Event>(steps: Steps<Result, Event>, tell?: (event: Event) => void): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (value !== undefined) tell?.(value);
  }
}

/** Works the same steps without their events. */
export function* quiet<Result>(steps: Steps<Result, unknown>): Generator<undefined, Result, void> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    yield undefined;
  }
}
