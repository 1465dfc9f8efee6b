/**
 * A plan run, which may start before it is requested, while its generation is being published, because its searches depend only on
 * the facts. A request attaches to it, receives the events so far, and continues the work.
 *
 * Rule: `docs/plan.md#where-it-runs`.
 */
import type { AnalyzedWorld, Plan, PlanEvent, PlanEvents } from '@clew/planning';

/** @typeParam State state of the thread; of the request after one attaches */
export class PlanRun<State, Details> {
  readonly world: AnalyzedWorld;
  /** The request that this plan serves. */
  readonly request: unknown;
  /** State of the last request, used by simulations, which start only after a request. */
  state: State;
  /** Undefined after the run was dropped or completed, which frees its memory. */
  #events: PlanEvents<Details> | undefined;
  #told: PlanEvent<Details>[] = [];
  #isSearched = false;

  constructor(
    world: AnalyzedWorld,
    { request, state }: { readonly request: unknown; readonly state: State },
    begin: (stateNow: () => State) => PlanEvents<Details>,
  ) {
    this.world = world;
    this.request = request;
    this.state = state;
    this.#events = begin(() => this.state);
  }

  /** Whether a request can attach to it. */
  get isOpen(): boolean {
    return this.#events !== undefined;
  }

  /**
   * Runs one step of at most some seconds, up to the cards of all packages.
   * @returns whether steps remain @throws CanceledError, after which it must not be used
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

  /** Runs to the end. @param tell receives all events, those of earlier steps first @throws CanceledError */
  finish(tell: (event: PlanEvent<Details>) => void): Plan<Details> | undefined {
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

  /** Stops the plan and frees its memory. */
  drop(): void {
    this.#events = undefined;
    this.#told = [];
  }
}
