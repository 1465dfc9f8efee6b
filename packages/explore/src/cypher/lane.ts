/**
 * Threads that serve one queue of queries. Owners are served in turn, and none can use all threads. If a query waits and all threads are
 * busy, one is taken from the owner with the most use:
 *
 *     waits ── its turn ──> runs ── answer, error ──> over
 *       │                     └── has had its share, and an owner that has used less waits ──> waits (it begins again)
 *       ├── signal ──> over
 *       └── MAX_WAIT_MS ──> over (429)
 *
 * Each time a query restarts, its share doubles, so it eventually finishes. But one thread can always be taken after MAX_SHARE_MS, that of
 * the latest run of those owners, as long as an older run keeps its share: so a short query waits for seconds, however long the shares of
 * others are. Waiting time and interrupted runs do not count as time of the request.
 */
import { FairQueue, type RequestClock, tooManyRequests } from '@clew/common';
import type { Generation } from '@clew/generation';
import type { CypherAnswer, CypherRequest } from './cypherMessages.ts';

/** A query keeps its thread this long in its first run. */
export const FIRST_SHARE_MS = 2_000;
/** Maximum time for which the latest run keeps its thread while an older one keeps its own. */
export const MAX_SHARE_MS = 8_000;
/** Total waiting time, without its runs, after which a query is refused with a retry answer. */
const MAX_WAIT_MS = 120_000;
/** Shorter waiting times are not reported. */
const MIN_SAID_MS = 1_000;
/** Time after which the use of an owner counts half. */
const HALF_LIFE_MS = 60_000;

export interface QueryOrigin {
  /** Id of the calling principal. */
  readonly owner: string;
  /** Ends the query. */
  readonly signal: AbortSignal;
  /** The clock of the request. */
  readonly clock?: RequestClock;
}

export interface LaneThread {
  readonly isRunning: boolean;
  ask(generation: Generation, task: string, input: unknown, signal: AbortSignal): Promise<unknown>;
}

export interface LaneOptions {
  readonly threads: readonly LaneThread[];
  /** Maximum concurrent threads per owner. */
  readonly maxOfOne: number;
  /** Whether threads are taken from owners with more use. */
  readonly takesThreads?: boolean;
  /** Default: FIRST_SHARE_MS and MAX_SHARE_MS; tests with threads use shorter ones. */
  readonly shares?: { readonly firstMs: number; readonly maxMs: number };
}

interface Query {
  readonly origin: QueryOrigin;
  readonly generation: Generation;
  /** Created at the start, because it may contain the remaining time. */
  readonly request: () => CypherRequest;
  readonly resolve: (answer: CypherAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** Number of starts. */
  begun: number;
  waitedMs: number;
  /** Milliseconds of interrupted runs: they delay the answer, but are not waiting time. */
  lostMs: number;
  waitsSince: number;
  tooLong?: NodeJS.Timeout;
}

interface Run {
  readonly query: Query;
  readonly since: number;
  /** Ends the run, but not the query. */
  readonly taken: AbortController;
}

export class Lane {
  readonly #threads: readonly LaneThread[];
  readonly #maxOfOne: number;
  readonly #takesThreads: boolean;
  readonly #shares: { readonly firstMs: number; readonly maxMs: number };
  readonly #queue = new FairQueue<Query>();
  readonly #running = new Map<LaneThread, Run>();
  readonly #used = new Map<string, { readonly ms: number; readonly at: number }>();
  #look: NodeJS.Timeout | undefined;

  constructor({ threads, maxOfOne, takesThreads = false, shares }: LaneOptions) {
    this.#threads = threads;
    this.#shares = shares ?? { firstMs: FIRST_SHARE_MS, maxMs: MAX_SHARE_MS };
    this.#maxOfOne = maxOfOne;
    this.#takesThreads = takesThreads;
  }

  get isRunning(): boolean {
    return this.#threads.some((thread) => thread.isRunning);
  }

  /** @throws errors of the thread; the abort reason at once while waiting; ApiError 429 if it has waited too long */
  run(generation: Generation, request: () => CypherRequest, origin: QueryOrigin): Promise<CypherAnswer> {
    const { owner, signal, clock } = origin;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<CypherAnswer>();
    const query: Query = {
      ...{ origin, generation, request, resolve, reject },
      ...{ begun: 0, waitedMs: 0, lostMs: 0, waitsSince: 0 },
    };
    const onAbort = (): void => {
      // The thread answers a running query.
      if (this.#queue.remove(owner, query)) reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#wait(query);
    this.#next();
    return promise.finally(() => {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(query.tooLong);
      clock?.resume();
    });
  }

  #wait(query: Query): void {
    const { origin, waitedMs } = query;
    query.waitsSince = Date.now();
    origin.clock?.pause();
    query.tooLong = setTimeout(() => {
      if (this.#queue.remove(origin.owner, query)) query.reject(tooManyRequests());
    }, MAX_WAIT_MS - waitedMs);
    query.tooLong.unref();
    this.#queue.push(origin.owner, query);
  }

  #runningOf(owner: string): number {
    return [...this.#running.values()].filter(({ query }) => query.origin.owner === owner).length;
  }

  #next(): void {
    const isServed = (owner: string): boolean => this.#runningOf(owner) < this.#maxOfOne;
    for (;;) {
      // The first free thread, whose loaded data is reused.
      const thread = this.#threads.find((one) => !this.#running.has(one));
      const query = thread && this.#queue.take(isServed);
      if (thread === undefined || query === undefined) break;
      void this.#start(thread, query);
    }
    if (this.#takesThreads) this.#takeThread();
  }

  async #start(thread: LaneThread, query: Query): Promise<void> {
    const { origin, generation } = query;
    clearTimeout(query.tooLong);
    query.waitedMs += Date.now() - query.waitsSince;
    query.begun++;
    origin.clock?.resume();
    const run: Run = { query, since: Date.now(), taken: new AbortController() };
    this.#running.set(thread, run);
    try {
      const signal = AbortSignal.any([origin.signal, run.taken.signal]);
      const answer = (await thread.ask(generation, 'query', query.request(), signal)) as CypherAnswer;
      query.resolve({ ...answer, warnings: [...saidWaiting(query), ...answer.warnings] });
    } catch (error) {
      if (run.taken.signal.aborted && !origin.signal.aborted) {
        const lost = Date.now() - run.since;
        origin.clock?.giveBack(lost);
        query.lostMs += lost;
        this.#wait(query);
      } else query.reject(error);
    }
    this.#running.delete(thread);
    this.#count(origin.owner, Date.now() - run.since);
    this.#next();
  }

  /** Takes a thread for the waiting owner with the least use, or checks again at the end of a share. */
  #takeThread(): void {
    clearTimeout(this.#look);
    this.#look = undefined;
    const waiting = [...this.#queue.owners()].filter((owner) => this.#runningOf(owner) < this.#maxOfOne);
    if (waiting.length === 0 || this.#running.size < this.#threads.length) return;
    const least = Math.min(...waiting.map((owner) => this.#usedBy(owner)));
    const runs = [...this.#running.values()];
    if (runs.some(({ taken }) => taken.signal.aborted)) return;
    const ofMore = runs.filter(({ query }) => this.#usedBy(query.origin.owner) > least);
    const now = Date.now();
    const { firstMs, maxMs } = this.#shares;
    const latest = latestOf(ofMore, runs);
    const share = (run: Run): number =>
      Math.min(firstMs * 2 ** (run.query.begun - 1), run === latest ? maxMs : Number.POSITIVE_INFINITY);
    const isOver = (run: Run): boolean => now - run.since >= share(run);
    const most = ofMore
      .filter(isOver)
      .sort((a, b) => this.#usedBy(b.query.origin.owner) - this.#usedBy(a.query.origin.owner))
      .at(0);
    if (most !== undefined) {
      most.taken.abort();
      return;
    }
    // The use of running owners grows, so waiting ones are checked again.
    const soonest = Math.min(...runs.map((run) => run.since + share(run) - now));
    this.#look = setTimeout(() => this.#takeThread(), Math.max(MIN_LOOK_MS, soonest));
    this.#look.unref();
  }

  /** @returns thread milliseconds, with decaying weight */
  #usedBy(owner: string): number {
    const now = Date.now();
    const known = this.#used.get(owner);
    const before = known === undefined ? 0 : known.ms * 0.5 ** ((now - known.at) / HALF_LIFE_MS);
    let running = 0;
    for (const { query, since } of this.#running.values())
      if (query.origin.owner === owner) running += now - since;
    return before + running;
  }

  #count(owner: string, ms: number): void {
    this.#used.set(owner, { ms: this.#usedBy(owner) + ms, at: Date.now() });
    for (const one of this.#used.keys())
      if (this.#usedBy(one) < 1 && this.#queue.sizeOf(one) === 0) this.#used.delete(one);
  }
}

/** Interval between two checks of running queries. */
const MIN_LOOK_MS = 100;

/** @returns the latest run of `ofMore`, unless all others of `runs` are later: one run always keeps its share */
function latestOf(ofMore: readonly Run[], runs: readonly Run[]): Run | undefined {
  const latest = ofMore.toSorted((a, b) => b.since - a.since).at(0);
  return runs.some((run) => run !== latest && run.since <= (latest?.since ?? 0)) ? latest : undefined;
}

/** The delay of the answer caused by others: waiting time, and interrupted runs. */
function saidWaiting({ waitedMs, lostMs, begun }: Query): readonly string[] {
  const delayed = waitedMs + lostMs;
  if (delayed < MIN_SAID_MS) return [];
  const again = begun === 1 ? '' : `, and started again ${begun === 2 ? 'once' : `${begun - 1} times`}`;
  return [`the query waited ${Math.round(delayed / 1000)} s for others${again}`];
}
