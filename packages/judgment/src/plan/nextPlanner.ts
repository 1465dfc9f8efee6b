/**
 * The thread that makes the next plans. It reads the facts of a generation while that is being published: at a million objects
 * this takes 15 s that the first cards would wait for.
 *
 * Rule: `docs/plan.md#where-it-runs`.
 */
import type { Generation } from '@clew/generation';
import type { DatabaseLog } from '@clew/store';
import type { PlanThreadOptions } from './planMessages.ts';
import { Planner } from './planner.ts';

const THREAD_NAME = 'make-plans';

export class NextPlanner {
  readonly #options: PlanThreadOptions;
  readonly #log: DatabaseLog;
  #prepared: { readonly generation: number; readonly planner: Planner } | undefined;
  /** Two threads would hold the facts twice. */
  #isAtWork = false;

  constructor(options: PlanThreadOptions, log: DatabaseLog) {
    this.#options = options;
    this.#log = log;
  }

  /** Begins to read the facts of a generation that may yet fail to be published. While plans are being made it does nothing. */
  prepare(generation: Generation): void {
    if (this.#isAtWork) return;
    void this.#drop();
    const planner = new Planner(this.#options, THREAD_NAME);
    this.#prepared = { generation: generation.id, planner };
    planner.prepare(generation).catch((error: unknown) => {
      // It was ended: a newer generation is prepared, or the plan is made.
      if (this.#prepared?.planner !== planner) return;
      // The plan reads them again, and reports the error.
      this.#log.warn({ err: error, generation: generation.id }, 'the facts of a plan were not read ahead');
    });
  }

  /** @param work with the thread, which is closed afterward */
  async use<Result>(generation: Generation, work: (planner: Planner) => Promise<Result>): Promise<Result> {
    const isPrepared = this.#prepared?.generation === generation.id;
    const planner = isPrepared ? this.#prepared?.planner : undefined;
    if (isPrepared) this.#prepared = undefined;
    const own = planner ?? new Planner(this.#options, THREAD_NAME);
    this.#isAtWork = true;
    try {
      return await work(own);
    } finally {
      this.#isAtWork = false;
      await own.close();
    }
  }

  /** Ends preparations for generations up to this one: no one asks for them. */
  async forget(generation: Generation): Promise<void> {
    if (this.#prepared !== undefined && this.#prepared.generation <= generation.id) await this.#drop();
  }

  close(): Promise<void> {
    return this.#drop();
  }

  async #drop(): Promise<void> {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    await prepared?.planner.close();
  }
}
