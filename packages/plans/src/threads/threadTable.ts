/**
 * The planning threads: one for each role, with the generation whose facts it has. This table is their only owner; requests use them
 * through a `Planner`.
 *
 *     role       thread           makes                                                      facts of
 *     next       `make-plans`     the plans of each generation, started early               the generation that is published next
 *     users      `plan`           what-if, choke points, evidence                            the newest generation
 *     variants   `plan-variants`  plans with options that a user chose                       the newest generation
 *
 * The states of a thread and the calls that change them (`ARROWS`); any other call is an error:
 *
 *     empty       no facts
 *                   -- prepare --> preparing   -- plan --> planning   -- ask --> answering   -- take --> given
 *     preparing   reads the facts of a generation that is being published, and starts its plan
 *                   -- prepare (a newer one) --> preparing   -- plan --> planning   -- end --> empty
 *     planning    makes plans; generations that arrive are kept until it ends
 *                   -- ask --> planning   -- end --> empty
 *     given       took over the thread that made a plan, with its facts; no question since
 *                   -- ask --> answering   -- take --> given   -- end (newer facts are about to be read) --> empty
 *     answering   answers questions, or has the facts of the last one
 *                   -- ask --> answering   -- take --> given   -- end (or ten minutes unused) --> empty
 *
 * If a newer generation arrives while a preparation is running, its thread is ended and replaced.
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
  /** The generation that it prepares, as announced. */
  prepared: Generation | undefined;
}

export interface TableOptions {
  /** Whether this process answers users: their thread then receives the facts of large graphs; default: true. */
  readonly answersUsers?: boolean;
  /** Minimum number of objects of a large graph; default: `MIN_LARGE`. */
  readonly minObjects?: number;
  /** Creates a thread that starts with its first task. */
  readonly threadOf?: (name: string) => PlanThread;
}

type Announced = Omit<Preparation, 'enough'>;

export class PlanThreads {
  readonly options: PlanThreadOptions;
  /** For interactive questions, which take seconds at most. */
  readonly users: Planner;
  /** Computes whole plans other than the stored ones. */
  readonly variants: Planner;
  readonly #next: Planner;
  readonly #log: DatabaseLog;
  readonly #table: Required<TableOptions>;
  readonly #rows: Readonly<Record<PlanRole, Row>>;
  /** Ends the preparation after the current step. */
  #enough: Cancel = newCancel();
  /** The last announced generation with the facts known for it, until its plan is made. */
  #coming: { readonly id: number; readonly preparation: Announced } | undefined;
  /** Facts for the first user question about this generation, which then need not be read. */
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

  /** Whether a thread is answering a question or preparing a generation. */
  isBusy(role: PlanRole): boolean {
    return this.#rows[role].thread.pendingCount > 0;
  }

  /**
   * Keeps the facts of a generation until it is prepared or its plan is made.
   * @param generation may be passed twice: the first time with its graph only @param facts missing the first time
   */
  know({ id }: Generation, facts?: GenerationFacts): void {
    const kept = this.#keep(id, facts && { facts });
    // Users may ask while the plan is being computed, and then use their own thread.
    if (kept !== undefined && this.#table.answersUsers) this.#known = kept.facts && { id, facts: kept.facts };
  }

  /** Prepares a generation whose publication may still fail. While plans are being made, only keeps its facts. */
  prepare(generation: Generation, plan?: Announced['plan']): void {
    const kept = this.#keep(generation.id, { plan });
    const { state, prepared } = this.#rows.next;
    if (kept === undefined || state === 'planning' || prepared?.id === generation.id) return;
    this.#freeNext();
    this.#begin(generation, kept);
  }

  /**
   * Computes plans of a generation. Afterward, the thread releases its facts or is transferred to users.
   * @param work uses the thread; returns whether its facts are still those of the newest generation
   * @throws Error while it makes plans, errors of the work
   */
  async plan(generation: Generation, work: (planner: Planner) => Promise<boolean>): Promise<void> {
    this.#stateAfter('next', 'plan');
    const row = this.#rows.next;
    const prepared = row.prepared?.id === generation.id ? row.prepared : undefined;
    if (prepared === undefined) {
      this.#freeNext();
      // The plan of an earlier generation may have canceled its preparation.
      if (this.#coming?.id === generation.id) this.#begin(generation, this.#coming.preparation);
    }
    this.#forgetUpTo(generation);
    requestCancel(this.#enough);
    this.#move('next', 'plan');
    let isNewest = false;
    try {
      if (prepared !== undefined && prepared !== generation) {
        // The thread receives only the graph, and keeps its facts.
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

  /** Ends preparations of this and earlier generations, which no one will request. */
  async forget(generation: Generation): Promise<void> {
    this.#forgetUpTo(generation);
    const { prepared } = this.#rows.next;
    if (prepared !== undefined && prepared.id <= generation.id) await this.endNext();
  }

  /** Ends the planning thread. */
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
    // The failure will occur again, and be reported, when the question reads the facts.
    if (role === 'users' && this.#known?.id === generation.id && thread.generation !== generation.id)
      prepareIn(thread, generation, { facts: this.#known.facts, enough: newCancel() }).catch(() => {});
    return thread.ask(generation, task, input, signal, tell);
  };

  #stateOf(role: PlanRole): PlanThreadState {
    const { state, thread } = this.#rows[role];
    const isAtRest = state === 'given' || state === 'answering';
    // The thread was unused for ten minutes, or ended for lack of memory.
    return isAtRest && thread.pendingCount === 0 && thread.generation === undefined ? 'empty' : state;
  }

  /** @throws Error for a call that is invalid in its state */
  #stateAfter(role: PlanRole, call: PlanThreadCall): PlanThreadState {
    const before = this.#stateOf(role);
    const after = ARROWS[before][call];
    if (after === undefined) throw new Error(`the planning thread for ${role} is ${before}: no ${call}`);
    return after;
  }

  /** @throws Error for a call that is invalid in its state */
  #move(role: PlanRole, call: PlanThreadCall, prepared?: Generation): void {
    const row = this.#rows[role];
    row.state = this.#stateAfter(role, call);
    row.prepared = prepared;
  }

  async #end(role: PlanRole): Promise<void> {
    this.#move(role, 'end');
    await this.#rows[role].thread.close();
  }

  /** @returns all known facts of the generation; undefined if a newer one is expected */
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
      // The thread was ended, because a newer generation is being prepared or the plan is being computed.
      if (row.thread !== thread || row.prepared !== generation) return;
      // The plan reads the facts again, and reports the error.
      this.#log.warn({ err: error, generation: generation.id }, 'the facts of a plan were not loaded');
    });
  }

  /** Frees facts that no one requested, so that the newest generation does not wait for reads of an earlier one. */
  #freeNext(): void {
    if (this.#stateOf('users') === 'given' && !this.isBusy('users')) this.#end('users').catch(() => {});
    if (!this.isBusy('next')) return;
    const row = this.#rows.next;
    void row.thread.close();
    row.thread = this.#table.threadOf(ROLES.next);
  }

  /**
   * Transfers the planning thread to users. @returns false if the users' thread is busy or has the facts, or the planning thread lost them
   */
  #giveToUsers({ id, graph }: Generation): boolean {
    const { answersUsers, minObjects } = this.#table;
    const { next, users } = this.#rows;
    if (!answersUsers || graph.nodeCount < minObjects || this.isBusy('users')) return false;
    if (users.thread.generation === id || next.thread.generation !== id) return false;
    [users.thread, next.thread] = [next.thread, users.thread];
    this.#move('users', 'take');
    // The thread has older facts, and restarts with the next question.
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
