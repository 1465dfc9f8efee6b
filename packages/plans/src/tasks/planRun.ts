/**
 * A plan under way, which may be begun before anyone asks for it, while its generation is being published: its searches depend on the facts
 * alone. A question attaches to it: it receives the events so far, and works on.
 *
 * Rule: `docs/plan.md#where-it-runs`.
 */
import type { AnalyzedWorld, Plan, PlanEvent, PlanEvents } from '@clew/planning';

/** @typeParam State of the thread: that of the question, once there is one */
export class PlanRun<State, Look> {
  readonly world: AnalyzedWorld;
  /** The question that it answers. */
  readonly request: unknown;
  /** The state of the last question: simulations use it, which begin once there is one. */
  state: State;
  /** Nothing once it was dropped or answered: its memory is free. */
  #events: PlanEvents<Look> | undefined;
  #told: PlanEvent<Look>[] = [];
  #isSearched = false;

  constructor(
    world: AnalyzedWorld,
    { request, state }: { readonly request: unknown; readonly state: State },
    begin: (stateNow: () => State) => PlanEvents<Look>,
  ) {
    this.world = world;
    this.request = request;
    this.state = state;
    this.#events = begin(() => this.state);
  }

  /** Whether a question can attach to it. */
  get isOpen(): boolean {
    return this.#events !== undefined;
  }

  /**
   * Works one step, of seconds at most, up to the cards of all packages.
   * @returns whether more are left @throws CanceledError, after which it must not be used
   */
  next(): boolean {
    if (this.#isSearched || this.#events === undefined) return false;
    const { done, value } = this.#events.next();
    if (done === true) {
      this.drop();
      return false;
    }
    if (value !== undefined) this.#told.push(value);
    this.#isSearched = value?.state === 'searched' && value.packages === 'all';
    return !this.#isSearched;
  }

  /** Works to the end. @param tell receives all events, those of earlier steps first @throws CanceledError */
  finish(tell: (event: PlanEvent<Look>) => void): Plan<Look> | undefined {
    const events = this.#events;
    const told = this.#told;
    this.drop();
    for (let event = told.shift(); event !== undefined; event = told.shift()) tell(event);
    for (;;) {
      const step = events?.next();
      if (step === undefined || step.done === true) return step?.value;
      if (step.value !== undefined) tell(step.value);
    }
  }

  /** Ends it. */
  drop(): void {
    this.#events = undefined;
    this.#told = [];
  }
}
