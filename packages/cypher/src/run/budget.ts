/**
 * Limits the cost of a query. It is called often, so it counts first and rarely reads the clock. Work on long
 * values is charged by length before it starts, so no single step delays the end of a query.
 */
import { CypherError } from '../cypherError.ts';

export interface QueryLimits {
  /** Rows, paths and groups in memory at a time. */
  readonly rows: number;
  /** Values in the answer. */
  readonly results: number;
  /** Edges visited. */
  readonly steps: number;
  /** Edges of one path found by enumeration. */
  readonly pathLength: number;
  /** Items of one list. */
  readonly listItems: number;
  /** Bytes of the columns that searches may keep, in addition to values. */
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
/** Factor on limits for a partial answer, because grouping and sorting cost less than finding rows. */
const EXTENDED = 1.5;
/** Number of characters that cost as much as one step. */
const CHARACTERS_OF_STEP = 16;

/** Charges work on values. */
export interface Spends {
  /** @throws if the query must stop */
  spend(steps: number): void;
}

/** @returns the steps of work that reads each character of a text */
export const textSteps = (length: number): number => Math.ceil(length / CHARACTERS_OF_STEP);

export class Budget implements Spends {
  readonly limits: QueryLimits;
  readonly #checkpoint: () => void;
  #steps = 0;
  #untilLook = LOOK_EVERY;
  #rows = 0;
  #searchBytes = 0;
  /** Factor on the limits; greater than 1 while rows found before reaching a limit are processed. */
  #allowance = 1;

  /** @param checkpoint throws if the query must stop: on a timeout, or when no client waits for the answer */
  constructor(limits: QueryLimits, checkpoint: () => void) {
    this.limits = limits;
    this.#checkpoint = checkpoint;
  }

  get steps(): number {
    return this.#steps;
  }

  /** @throws CypherError if too many edges were visited; errors of `checkpoint` */
  spend(steps: number): void {
    this.#steps += steps;
    this.#untilLook -= steps;
    if (this.#untilLook > 0) return;
    this.#untilLook = LOOK_EVERY;
    this.#checkpoint();
    if (this.#steps > this.limits.steps * this.#allowance)
      throw new CypherError(
        'limit',
        `the query visited ${this.limits.steps} edges: start at fewer nodes, or limit the length of its paths`,
      );
  }

  /** @throws CypherError if too many rows are in memory */
  hold(rows: number): void {
    this.#rows += rows;
    if (this.#rows > this.limits.rows * this.#allowance)
      throw new CypherError(
        'limit',
        `the query needs more than ${this.limits.rows} rows: use LIMIT, or conditions`,
      );
  }

  /**
   * Called before allocating columns that a search keeps for the whole query.
   * @param message says what needs too much @throws CypherError if the total is too large
   */
  reserve(bytes: number, message?: string): void {
    this.spend(textSteps(bytes));
    this.#searchBytes += bytes;
    if (this.#searchBytes > this.limits.searchBytes)
      throw new CypherError(
        'limit',
        message ??
          `the searches of the query need more than ${this.limits.searchBytes} bytes: use fewer paths of variable length`,
      );
  }

  /** Releases reserved bytes. */
  unreserve(bytes: number): void {
    this.#searchBytes -= bytes;
  }

  /** Raises the limits, so that a query that reached one can group and sort its rows. */
  extend(): void {
    this.#allowance = EXTENDED;
  }

  release(rows: number): void {
    this.#rows -= rows;
  }
}
