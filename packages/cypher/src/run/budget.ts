/**
 * The limits of a query's cost. It is checked often, so it counts first and rarely reads the clock. Work that takes longer for longer
 * values spends by their length before it begins: so no single step delays the end of a query.
 */
import { CypherError } from '../cypherError.ts';

export interface QueryLimits {
  /** Rows, paths and groups that are held at a time. */
  readonly rows: number;
  /** Values in the answer. */
  readonly results: number;
  /** Edges visited. */
  readonly steps: number;
  /** Edges of one path that is found by trying all. */
  readonly pathLength: number;
  /** Items of one list. */
  readonly listItems: number;
  /** Bytes of columns that its searches may keep in addition to its values. */
  readonly searchBytes: number;
}

export const DEFAULT_LIMITS: QueryLimits = {
  rows: 2_000_000,
  results: 1_000_000,
  steps: 2_000_000_000,
  pathLength: 64,
  listItems: 5_000_000,
  searchBytes: 1024 ** 3,
};

const LOOK_EVERY = 4096;
/** Factor on a limit for a partial answer: grouping and sorting it cost less than finding it. */
const EXTENDED = 1.5;
/** Characters that take as long as one step. */
const CHARACTERS_OF_STEP = 16;

/** Counts the work on values. */
export interface Spends {
  /** @throws when the query must end */
  spend(steps: number): void;
}

/** Steps of work that looks at each character of a text. */
export const textSteps = (length: number): number => Math.ceil(length / CHARACTERS_OF_STEP);

export class Budget implements Spends {
  readonly limits: QueryLimits;
  readonly #look: () => void;
  #steps = 0;
  #untilLook = LOOK_EVERY;
  #rows = 0;
  #searchBytes = 0;
  /** Factor on its limits: more than 1 while the rows found before a limit are processed to the end. */
  #allowance = 1;

  /** @param look throws when the query must end: its time is over, or no client waits for it */
  constructor(limits: QueryLimits, look: () => void) {
    this.limits = limits;
    this.#look = look;
  }

  get steps(): number {
    return this.#steps;
  }

  /** @throws CypherError when too many edges were visited; the errors of `look` */
  spend(steps: number): void {
    this.#steps += steps;
    this.#untilLook -= steps;
    if (this.#untilLook > 0) return;
    this.#untilLook = LOOK_EVERY;
    this.#look();
    if (this.#steps > this.limits.steps * this.#allowance)
      throw new CypherError(
        'limit',
        `the query looked at ${this.limits.steps} edges: begin it at fewer nodes, or bound its lengths`,
      );
  }

  /** @throws CypherError when too many rows are held */
  hold(rows: number): void {
    this.#rows += rows;
    if (this.#rows > this.limits.rows * this.#allowance)
      throw new CypherError(
        'limit',
        `the query holds more than ${this.limits.rows} rows: use LIMIT, or conditions`,
      );
  }

  /**
   * Before columns are made that a search keeps for the whole query.
   * @throws CypherError when they are too large together
   */
  reserve(bytes: number): void {
    this.spend(textSteps(bytes));
    this.#searchBytes += bytes;
    if (this.#searchBytes > this.limits.searchBytes)
      throw new CypherError(
        'limit',
        `the searches of the query need more than ${this.limits.searchBytes} bytes: use fewer paths of variable length`,
      );
  }

  /** Returns reserved bytes that are no longer kept. */
  unreserve(bytes: number): void {
    this.#searchBytes -= bytes;
  }

  /** Lets a query that reached a limit group and sort its rows. */
  extend(): void {
    this.#allowance = EXTENDED;
  }

  release(rows: number): void {
    this.#rows -= rows;
  }
}
