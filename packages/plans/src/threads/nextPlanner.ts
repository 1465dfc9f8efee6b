/**
 * The thread that makes the next plans. It gets the facts of a generation while that is being published: the properties of its nodes from
 * the thread that made it, if that is one of this process: to read them takes 27 s at a million objects. Then it begins the plan.
 *
 * The threads of plans, by generation and role: each process has three at most.
 *
 *     role       owner                    facts of                  begins with                ends
 *     next       `NextPlanner`            the generation that comes  `know`, `prepare`          `forget`, or becomes that of users
 *     users      `Planner` ('plan')       the newest generation      a question, or `takeOver`  ten minutes unused, or `release`
 *     variants   `Planner` ('plan-variants')  the newest generation  a question                 ten minutes unused
 *
 * States of the thread of the next plans, with the calls that lead from one to another:
 *
 *     none        -- prepare -->                   preparing (`#prepared`: facts are read, its plan is begun)
 *     preparing   -- prepare of a newer one -->    preparing, in another thread where this one is busy
 *     preparing   -- use -->                       at work (`#isAtWork`: `#enough` ends the step at hand)
 *     none        -- use -->                       at work
 *     at work     -- know, prepare -->             at work: they are kept (`#coming`) until the next `use`
 *     at work     -- the end of `use` -->          none, its thread forgets the facts; or users have taken it over (`#handOver`)
 *     any         -- forget of its generation, close --> none
 *
 * Rule: `docs/plan.md#where-it-runs`.
 */
import type { Generation, GenerationFacts } from '@clew/generation';
import { newCancel, requestCancel } from '@clew/graph';
import type { DatabaseLog } from '@clew/store';
import { MIN_LARGE } from '../tasks/planSize.ts';
import type { PlanThreadOptions, Preparation } from './planMessages.ts';
import { Planner } from './planner.ts';

const THREAD_NAME = 'make-plans';

export interface Users {
  /** Answers questions of users. */
  readonly planner: Planner;
  /** Objects of a graph from which on it takes the facts over; default 50,000. */
  readonly minObjects?: number;
}

type Announced = Omit<Preparation, 'enough'>;

export class NextPlanner {
  readonly #options: PlanThreadOptions;
  readonly #log: DatabaseLog;
  readonly #users: Users | undefined;
  /** Kept for the next generation, since its start takes a fifth of a second of the processor. Two threads would hold the facts twice. */
  #planner: Planner | undefined;
  /** The generation of its facts, as it was announced. */
  #prepared: Generation | undefined;
  /** Ends its preparation once the next step is finished. */
  #enough = newCancel();
  /** The last generation that was announced, with what is known for it; until its plan is made. */
  #coming: { readonly id: number; readonly preparation: Announced } | undefined;
  #isAtWork = false;

  /** @param users absent where no user is answered */
  constructor(options: PlanThreadOptions, log: DatabaseLog, users?: Users) {
    this.#options = options;
    this.#log = log;
    this.#users = users;
  }

  /**
   * Keeps the facts of a generation until it is prepared, or its plan is made.
   * @param generation may come twice: the first time its graph alone is known @param facts absent where they came the first time
   */
  know({ id }: Generation, facts?: GenerationFacts): void {
    const kept = this.#keep(id, facts && { facts });
    // Users may ask while the plan is being made, and have a thread of their own then.
    if (kept !== undefined) this.#users?.planner.know(id, kept.facts);
  }

  /** Begins with a generation that may yet fail to be published. While plans are being made it only keeps what is known for it. */
  prepare(generation: Generation, plan?: Announced['plan']): void {
    const kept = this.#keep(generation.id, { plan });
    if (kept === undefined || this.#isAtWork || this.#prepared?.id === generation.id) return;
    this.#begin(this.#freePlanner(), generation, kept);
  }

  /** @returns all that is known for the generation; nothing where a newer one is coming */
  #keep(id: number, more?: Announced): Announced | undefined {
    const coming = this.#coming;
    if (coming !== undefined && coming.id > id) return undefined;
    const preparation = { ...(coming?.id === id && coming.preparation), ...more };
    this.#coming = { id, preparation };
    return preparation;
  }

  #begin(planner: Planner, generation: Generation, preparation: Announced): void {
    this.#prepared = generation;
    this.#enough = newCancel();
    planner.prepare(generation, { ...preparation, enough: this.#enough }).catch((error: unknown) => {
      // It was ended: a newer generation is prepared, or the plan is made.
      if (this.#planner !== planner || this.#prepared !== generation) return;
      // The plan reads them again, and reports the error.
      this.#log.warn({ err: error, generation: generation.id }, 'the facts of a plan were not read ahead');
    });
  }

  /**
   * The thread forgets the facts afterward, or answers questions of users with them.
   * @param work with the thread; says whether its facts are those of the newest generation still
   */
  async use(generation: Generation, work: (planner: Planner) => Promise<boolean>): Promise<void> {
    const prepared =
      this.#prepared?.id === generation.id && this.#planner !== undefined ? this.#prepared : undefined;
    const planner = prepared === undefined ? this.#freePlanner() : (this.#planner as Planner);
    // The plan of an earlier generation may have ended its preparation.
    if (this.#coming?.id === generation.id && prepared === undefined)
      this.#begin(planner, generation, this.#coming.preparation);
    this.#forgetUpTo(generation);
    this.#prepared = undefined;
    requestCancel(this.#enough);
    this.#isAtWork = true;
    let isNewest = false;
    try {
      if (prepared !== undefined && prepared !== generation) await planner.complete(generation);
      isNewest = await work(planner);
    } finally {
      this.#isAtWork = false;
      if (this.#coming === undefined) this.#users?.planner.know(generation.id, undefined);
      if (!(isNewest && this.#handOver(planner, generation))) planner.forget().catch(() => {});
    }
  }

  #handOver(planner: Planner, generation: Generation): boolean {
    if (this.#users === undefined) return false;
    const { planner: users, minObjects = MIN_LARGE } = this.#users;
    return generation.graph.nodeCount >= minObjects && users.takeOver(planner, generation);
  }

  /** Ends preparations for generations up to this one: no one asks for them. */
  async forget(generation: Generation): Promise<void> {
    this.#forgetUpTo(generation);
    if (this.#prepared !== undefined && this.#prepared.id <= generation.id) await this.close();
  }

  #forgetUpTo({ id }: Generation): void {
    if (this.#coming !== undefined && this.#coming.id <= id) this.#coming = undefined;
  }

  async close(): Promise<void> {
    const planner = this.#planner;
    this.#planner = undefined;
    this.#prepared = undefined;
    this.#coming = undefined;
    await planner?.close();
  }

  /** The newest generation does not wait for what is read of one before it, and the facts of that are freed. */
  #freePlanner(): Planner {
    this.#users?.planner.release().catch(() => {});
    if (this.#planner?.isBusy) {
      void this.#planner.close();
      this.#planner = undefined;
    }
    this.#planner ??= new Planner(this.#options, THREAD_NAME);
    return this.#planner;
  }
}
