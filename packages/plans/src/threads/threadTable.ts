/**
 * The threads of plans: one for each role, with the generation whose facts it has. This table is their only owner; requests ask them through
 * a `Planner`.
 *
 *     role       thread           makes                                                      facts of
 *     next       `make-plans`     the plans of each generation, which it begins early        the generation that is published next
 *     users      `plan`           what-if, choke points, evidence                            the newest generation
 *     variants   `plan-variants`  plans with options that a user chose                       the newest generation
 *
 * The states of a thread, with the calls that lead from one to another (`ARROWS`); all others are errors:
 *
 *     empty       no facts
 *                   -- prepare --> preparing   -- plan --> planning   -- ask --> answering   -- take --> given
 *     preparing   reads the facts of a generation that is being published, and begins its plan
 *                   -- prepare, of a newer one --> preparing   -- plan --> planning   -- end --> empty
 *     planning    makes plans; generations that come are kept until it has ended
 *                   -- ask --> planning   -- end --> empty
 *     given       took the thread that had made a plan, with its facts; no one has asked since
 *                   -- ask --> answering   -- take --> given   -- end, newer facts are about to be read --> empty
 *     answering   answers questions, or has the facts of the last one
 *                   -- ask --> answering   -- take --> given   -- end, or ten minutes unused --> empty
 *
 * A preparation that is still at work when a newer generation comes is ended with its thread, and another thread takes its place.
 *
 * Rule: `docs/plan.md#threads`.
 */
import { GenerationThread, plainError } from '@clew/common';
import type { Generation, GenerationFacts } from '@clew/generation';
import { type Cancel, newCancel, requestCancel } from '@clew/graph';
import type { DatabaseLog } from '@clew/store';
import { PlanError } from '../tasks/planError.ts';
import { MIN_LARGE } from '../tasks/planSize.ts';
import { COMPLETE, type PlanThreadOptions, PREPARE, type Preparation } from './planMessages.ts';
import { type AskThread, Planner } from './planner.ts';

/** The names of the threads. */
const ROLES = { next: 'make-plans', users: 'plan', variants: 'plan-variants' } as const;
export type PlanRole = keyof typeof ROLES;

export type PlanThreadState = 'empty' | 'preparing' | 'planning' | 'given' | 'answering';
export type PlanThreadCall = 'prepare' | 'plan' | 'ask' | 'take' | 'end';

export const ARROWS: Readonly<
  Record<PlanThreadState, Readonly<Partial<Record<PlanThreadCall, PlanThreadState>>>>
> = {
  empty: { prepare: 'preparing', plan: 'planning', ask: 'answering', take: 'given', end: 'empty' },
  preparing: { prepare: 'preparing', plan: 'planning', end: 'empty' },
  planning: { ask: 'planning', end: 'empty' },
  given: { ask: 'answering', take: 'given', end: 'empty' },
  answering: { ask: 'answering', take: 'given', end: 'empty' },
};

export type PlanThread = Pick<GenerationThread, 'ask' | 'forget' | 'close' | 'generation' | 'pendingCount'>;

interface Row {
  thread: PlanThread;
  state: PlanThreadState;
  /** The generation that it prepares, as it was announced. */
  prepared: Generation | undefined;
}

export interface TableOptions {
  /** Whether this process answers users: their thread takes the facts of large graphs. Default true. */
  readonly answersUsers?: boolean;
  /** Objects of a graph from which on it does. Default `MIN_LARGE`. */
  readonly minObjects?: number;
  /** Makes a thread, which starts with its first task. */
  readonly threadOf?: (name: string) => PlanThread;
}

type Announced = Omit<Preparation, 'enough'>;

export class PlanThreads {
  readonly options: PlanThreadOptions;
  /** For questions of people: seconds at most. */
  readonly users: Planner;
  /** For whole plans that are not those that are stored. */
  readonly variants: Planner;
  readonly #next: Planner;
  readonly #log: DatabaseLog;
  readonly #table: Required<TableOptions>;
  readonly #rows: Readonly<Record<PlanRole, Row>>;
  /** Ends the preparation once the next step is finished. */
  #enough: Cancel = newCancel();
  /** The last generation that was announced, with what is known for it; until its plan is made. */
  #coming: { readonly id: number; readonly preparation: Announced } | undefined;
  /** The first question of a user about this generation uses these facts, and does not read them. */
  #known: { readonly id: number; readonly facts: GenerationFacts } | undefined;

  constructor(options: PlanThreadOptions, log: DatabaseLog, table: TableOptions = {}) {
    this.options = options;
    this.#log = log;
    this.#table = {
      ...{ answersUsers: true, minObjects: MIN_LARGE, threadOf: (name) => threadNamed(name, options) },
      ...table,
    };
    const row = (role: PlanRole): Row => ({
      thread: this.#table.threadOf(ROLES[role]),
      ...{ state: 'empty', prepared: undefined },
    });
    this.#rows = { next: row('next'), users: row('users'), variants: row('variants') };
    const planner = (role: PlanRole): Planner => new Planner((...question) => this.#ask(role, ...question));
    this.users = planner('users');
    this.variants = planner('variants');
    this.#next = planner('next');
  }

  /** @returns the state of each thread, and the id of the generation whose facts it has or reads */
  get rows(): Readonly<Record<PlanRole, { readonly state: PlanThreadState; readonly generation?: number }>> {
    const shown = (role: PlanRole) => {
      const { generation } = this.#rows[role].thread;
      return { state: this.#stateOf(role), ...(generation !== undefined && { generation }) };
    };
    return { next: shown('next'), users: shown('users'), variants: shown('variants') };
  }

  /** Whether a thread answers a question, or prepares a generation. */
  isBusy(role: PlanRole): boolean {
    return this.#rows[role].thread.pendingCount > 0;
  }

  /**
   * Keeps the facts of a generation until it is prepared, or its plan is made.
   * @param generation may come twice: the first time its graph alone is known @param facts absent where they came the first time
   */
  know({ id }: Generation, facts?: GenerationFacts): void {
    const kept = this.#keep(id, facts && { facts });
    // Users may ask while the plan is being made, and have a thread of their own then.
    if (kept !== undefined && this.#table.answersUsers) this.#known = kept.facts && { id, facts: kept.facts };
  }

  /** Begins with a generation that may yet fail to be published. While plans are being made it only keeps what is known for it. */
  prepare(generation: Generation, plan?: Announced['plan']): void {
    const kept = this.#keep(generation.id, { plan });
    const { state, prepared } = this.#rows.next;
    if (kept === undefined || state === 'planning' || prepared?.id === generation.id) return;
    this.#freeNext();
    this.#begin(generation, kept);
  }

  /**
   * Makes plans of a generation. The thread forgets its facts afterward, or users take them.
   * @param work with the thread; says whether its facts are those of the newest generation still
   * @throws Error while it makes plans, the error of the work
   */
  async plan(generation: Generation, work: (planner: Planner) => Promise<boolean>): Promise<void> {
    this.#stateAfter('next', 'plan');
    const row = this.#rows.next;
    const prepared = row.prepared?.id === generation.id ? row.prepared : undefined;
    if (prepared === undefined) {
      this.#freeNext();
      // The plan of an earlier generation may have ended its preparation.
      if (this.#coming?.id === generation.id) this.#begin(generation, this.#coming.preparation);
    }
    this.#forgetUpTo(generation);
    requestCancel(this.#enough);
    this.#move('next', 'plan');
    let isNewest = false;
    try {
      if (prepared !== undefined && prepared !== generation) {
        // The thread has its graph alone, and keeps its facts.
        const { graph, ...rest } = generation;
        await row.thread.ask(generation, COMPLETE, rest, new AbortController().signal);
      }
      isNewest = await work(this.#next);
    } finally {
      if (this.#coming === undefined) this.#known = undefined;
      const isTaken = isNewest && this.#giveToUsers(generation);
      this.#move('next', 'end');
      if (!isTaken) row.thread.forget().catch(() => {});
    }
  }

  /** Ends preparations for generations up to this one: no one asks for them. */
  async forget(generation: Generation): Promise<void> {
    this.#forgetUpTo(generation);
    const { prepared } = this.#rows.next;
    if (prepared !== undefined && prepared.id <= generation.id) await this.endNext();
  }

  /** Ends the thread that makes plans. */
  async endNext(): Promise<void> {
    this.#coming = undefined;
    await this.#end('next');
  }

  async close(): Promise<void> {
    await this.endNext();
    await this.#end('variants');
    await this.#end('users');
  }

  #ask: RoleAsks = (role, generation, task, input, signal, tell) => {
    const { thread } = this.#rows[role];
    this.#move(role, 'ask');
    // A failure occurs again, and is reported, when the question reads the facts itself.
    if (role === 'users' && this.#known?.id === generation.id && thread.generation !== generation.id)
      prepareIn(thread, generation, { facts: this.#known.facts, enough: newCancel() }).catch(() => {});
    return thread.ask(generation, task, input, signal, tell);
  };

  #stateOf(role: PlanRole): PlanThreadState {
    const { state, thread } = this.#rows[role];
    const isAtRest = state === 'given' || state === 'answering';
    // It was unused for ten minutes, or has ended for want of memory.
    return isAtRest && thread.pendingCount === 0 && thread.generation === undefined ? 'empty' : state;
  }

  /** @throws Error for a call that its state does not have */
  #stateAfter(role: PlanRole, call: PlanThreadCall): PlanThreadState {
    const before = this.#stateOf(role);
    const after = ARROWS[before][call];
    if (after === undefined) throw new Error(`the thread of plans for ${role} is ${before}: no ${call}`);
    return after;
  }

  /** @throws Error for a call that its state does not have */
  #move(role: PlanRole, call: PlanThreadCall, prepared?: Generation): void {
    const row = this.#rows[role];
    row.state = this.#stateAfter(role, call);
    row.prepared = prepared;
  }

  async #end(role: PlanRole): Promise<void> {
    this.#move(role, 'end');
    await this.#rows[role].thread.close();
  }

  /** @returns all that is known for the generation; nothing where a newer one is coming */
  #keep(id: number, more?: Announced): Announced | undefined {
    const coming = this.#coming;
    if (coming !== undefined && coming.id > id) return undefined;
    const preparation = { ...(coming?.id === id && coming.preparation), ...more };
    this.#coming = { id, preparation };
    return preparation;
  }

  #forgetUpTo({ id }: Generation): void {
    if (this.#coming !== undefined && this.#coming.id <= id) this.#coming = undefined;
  }

  #begin(generation: Generation, preparation: Announced): void {
    const row = this.#rows.next;
    const { thread } = row;
    this.#move('next', 'prepare', generation);
    this.#enough = newCancel();
    prepareIn(thread, generation, { ...preparation, enough: this.#enough }).catch((error: unknown) => {
      // It was ended: a newer generation is prepared, or the plan is made.
      if (row.thread !== thread || row.prepared !== generation) return;
      // The plan reads them again, and reports the error.
      this.#log.warn({ err: error, generation: generation.id }, 'the facts of a plan were not read ahead');
    });
  }

  /** The newest generation does not wait for what is read of one before it, and facts that no one asked for are freed. */
  #freeNext(): void {
    if (this.#stateOf('users') === 'given' && !this.isBusy('users')) this.#end('users').catch(() => {});
    if (!this.isBusy('next')) return;
    const row = this.#rows.next;
    void row.thread.close();
    row.thread = this.#table.threadOf(ROLES.next);
  }

  /** Gives users the thread that has made a plan. @returns false where they are at work, or have its facts, or it has lost them */
  #giveToUsers({ id, graph }: Generation): boolean {
    const { answersUsers, minObjects } = this.#table;
    const { next, users } = this.#rows;
    if (!answersUsers || graph.nodeCount < minObjects || this.isBusy('users')) return false;
    if (users.thread.generation === id || next.thread.generation !== id) return false;
    [users.thread, next.thread] = [next.thread, users.thread];
    this.#move('users', 'take');
    // It has older facts, and starts again when it is asked.
    next.thread.close().catch(() => {});
    return true;
  }
}

type RoleAsks = (role: PlanRole, ...question: Parameters<AskThread>) => Promise<unknown>;

const prepareIn = (thread: PlanThread, generation: Generation, preparation: Preparation): Promise<unknown> =>
  thread.ask(generation, PREPARE, preparation, new AbortController().signal);

const threadNamed = (name: string, options: PlanThreadOptions): GenerationThread =>
  new GenerationThread({
    name,
    script: new URL('./planThread.ts', import.meta.url),
    workerData: options,
    ...(options.memoryBytes !== undefined && { memoryBytes: options.memoryBytes }),
    errorOf: (failure) =>
      failure.name === 'PlanError' ? new PlanError(failure.message) : plainError(failure),
  });
