/** What a query may cost. It is asked often, so it counts first and looks at the clock seldom. */
import { CypherError } from '../cypherError.ts';

export interface QueryLimits {
  /** Rows, paths and groups that are held at a time. */
  readonly rows: number;
  /** Values in the answer. */
  readonly results: number;
  /** Edges looked at. */
  readonly steps: number;
  /** Edges of one path that is found by trying all. */
  readonly pathLength: number;
  /** Items of one list. */
  readonly listItems: number;
}

export const DEFAULT_LIMITS: QueryLimits = {
  rows: 2_000_000,
  results: 1_000_000,
  steps: 2_000_000_000,
  pathLength: 64,
  listItems: 5_000_000,
};

const LOOK_EVERY = 4096;

export class Budget {
  readonly limits: QueryLimits;
  readonly #look: () => void;
  #steps = 0;
  #untilLook = LOOK_EVERY;
  #rows = 0;

  /** @param look throws when the query must end: its time is over, or no client waits for it */
  constructor(limits: QueryLimits, look: () => void) {
    this.limits = limits;
    this.#look = look;
  }

  get steps(): number {
    return this.#steps;
  }

  /** @throws CypherError when too many edges were looked at; what `look` throws */
  spend(steps: number): void {
    this.#steps += steps;
    this.#untilLook -= steps;
    if (this.#untilLook > 0) return;
    this.#untilLook = LOOK_EVERY;
    this.#look();
    if (this.#steps > this.limits.steps)
      throw new CypherError(
        'limit',
        `the query looked at ${this.limits.steps} edges: begin it at fewer nodes, or bound its lengths`,
      );
  }

  /** @throws CypherError when too many rows are held */
  hold(rows: number): void {
    this.#rows += rows;
    if (this.#rows > this.limits.rows)
      throw new CypherError(
        'limit',
        `the query holds more than ${this.limits.rows} rows: use LIMIT, or conditions`,
      );
  }

  release(rows: number): void {
    this.#rows -= rows;
  }
}
