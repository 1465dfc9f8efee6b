/**
 * Runs queries in threads, in four lanes (`lane.ts`):
 *
 *     asked ──> cheap lane: one thread, ALLOWANCE_MS for each ── answer ──> over
 *                  └── allowance used up ──> long lane: three threads ── answer, end of its time ──> over
 *     preview of a selector ──> a separate thread
 *     query on a layer ──> two separate threads: it may change the layer, so it never begins again
 *
 * So a cheap query waits for a fraction of a second, however many hard ones run. Each lane serves principals in turn, and none can use all
 * threads or all places, so that no one can block others.
 */

import { GenerationThread, plainError, tooManyRequests } from '@clew/common';
import { CypherError, type CypherErrorKind } from '@clew/cypher';
import type { Generation } from '@clew/generation';
import { eachRow } from './answerRows.ts';
import type { CypherAnswer, CypherRequest, CypherThreadOptions } from './cypherMessages.ts';
import { ALLOWANCE_USED, EFFORTS_NEEDED } from './cypherMessages.ts';
import type { GraphNames } from './graphNames.ts';
import { Lane, type QueryOrigin } from './lane.ts';
import { CHECK_LIMITS, SELECTOR_LIMITS, SELECTOR_TIMES } from './selectorQueries.ts';

const LONG_THREADS = 3;
/** Threads for layers, at most one for each principal. */
const LAYER_THREADS = 2;
/** Maximum threads of the long lane for one principal. */
const MAX_LONG_OF_ONE = LONG_THREADS - 1;
/** A new generation that is not loaded by then is loaded by the next query. */
const PREPARATION_MS = 30_000;
/** Time limit of a cheap query. */
const ALLOWANCE_MS = 250;
/** Maximum number of running or waiting queries; further ones get a retry answer. */
const MAX_PENDING = 64;
const MAX_PENDING_OF_ONE = 32;
/** Share of a thread's memory for search columns. */
const SEARCH_SHARE = 1 / 4;

export type { QueryOrigin } from './lane.ts';

/** Requests the attack effort of each edge of a generation, by its number: `NO_STEP` for other edges than steps of attack paths. */
export type ReadEfforts = (generation: Generation, signal: AbortSignal) => Promise<Uint8Array>;

export interface CypherRunnerOptions extends CypherThreadOptions {
  readonly memoryBytes?: number;
  /** Default: queries that read attack efforts are refused. */
  readonly efforts?: ReadEfforts;
}

export class CypherRunner {
  readonly #threads: readonly GenerationThread[];
  readonly #cheap: Lane;
  readonly #long: Lane;
  readonly #previews: Lane;
  readonly #layers: Lane;
  readonly #searchBytes: number | undefined;
  readonly #readEfforts: ReadEfforts | undefined;
  /** Attack efforts of the generations for which a query has needed them. */
  readonly #efforts = new WeakMap<Generation, Uint8Array>();
  /** Running or waiting queries by owner. */
  readonly #pending = new Map<string, number>();

  constructor({ memoryBytes, efforts, ...options }: CypherRunnerOptions) {
    this.#readEfforts = efforts;
    const threadOf = (name: string, more: Partial<CypherThreadOptions>): GenerationThread =>
      new GenerationThread({
        name,
        script: new URL('./cypherThread.ts', import.meta.url),
        workerData: { ...options, ...more } satisfies CypherThreadOptions,
        memoryBytes,
        errorOf: (failure) =>
          failure.name === 'CypherError'
            ? new CypherError(failure.kind as CypherErrorKind, failure.message)
            : plainError(failure),
      });
    const cheap = threadOf('cypher-cheap', { readsAhead: true });
    const long = Array.from({ length: LONG_THREADS }, () => threadOf('cypher', { isPatient: true }));
    const previews = threadOf('cypher-previews', { isPatient: true });
    const layers = Array.from({ length: LAYER_THREADS }, () =>
      threadOf('cypher-layers', { isPatient: true }),
    );
    this.#threads = [cheap, ...long, previews, ...layers];
    this.#cheap = new Lane({ threads: [cheap], maxOfOne: 1 });
    this.#long = new Lane({ threads: long, maxOfOne: MAX_LONG_OF_ONE, takesThreads: true });
    this.#previews = new Lane({ threads: [previews], maxOfOne: 1 });
    this.#layers = new Lane({ threads: layers, maxOfOne: 1 });
    this.#searchBytes = memoryBytes === undefined ? undefined : Math.floor(memoryBytes * SEARCH_SHARE);
  }

  /**
   * @param request created when the query starts
   * @throws CypherError, the abort reason of the signal; ApiError 429 if too many queries are waiting
   */
  run(generation: Generation, request: () => CypherRequest, origin: QueryOrigin): Promise<CypherAnswer> {
    return this.#counted(origin.owner, async () => {
      try {
        return await this.#runInLanes(generation, request, origin);
      } catch (error) {
        origin.signal.throwIfAborted();
        if ((error as Error).name !== EFFORTS_NEEDED || this.#readEfforts === undefined) throw error;
        this.#efforts.set(generation, await this.#readEfforts(generation, origin.signal));
        return await this.#runInLanes(generation, request, origin);
      }
    });
  }

  async #runInLanes(
    generation: Generation,
    request: () => CypherRequest,
    origin: QueryOrigin,
  ): Promise<CypherAnswer> {
    const efforts = this.#efforts.get(generation);
    const bounded = (): CypherRequest => ({
      ...this.#bounded(request()),
      ...(efforts ? { efforts } : { mayAskEfforts: this.#readEfforts !== undefined }),
    });
    if (request().layer !== undefined) return await this.#layers.run(generation, bounded, origin);
    try {
      return await this.#cheap.run(generation, () => ({ ...bounded(), allowanceMs: ALLOWANCE_MS }), origin);
    } catch (error) {
      origin.signal.throwIfAborted();
      if ((error as Error).name !== ALLOWANCE_USED) throw error;
      return await this.#long.run(generation, bounded, origin);
    }
  }

  /** Names that a query can use. @throws errors of `run` */
  async names(
    generation: Generation,
    environments: ReadonlySet<number> | undefined,
    origin: QueryOrigin,
  ): Promise<GraphNames> {
    const request: CypherRequest = {
      ...{ query: '', parameters: {}, explain: false, asksNames: true },
      ...(environments && { environments: [...environments] }),
    };
    const { rows } = await this.#counted(origin.owner, () =>
      this.#cheap.run(generation, () => request, origin),
    );
    const [[names]] = eachRow(rows);
    return names as GraphNames;
  }

  /** If there were recent queries, loads a new generation before the next one. */
  async prepare(generation: Generation): Promise<void> {
    const request = { query: 'RETURN 1', parameters: {}, explain: true };
    const origin = { owner: '', signal: AbortSignal.timeout(PREPARATION_MS) };
    // A failure occurs again in the query that needs the data.
    if (this.#cheap.isRunning) await this.#cheap.run(generation, () => request, origin).catch(() => {});
  }

  #bounded(request: CypherRequest): CypherRequest {
    const searches = this.#searchBytes === undefined ? {} : { searchBytes: this.#searchBytes };
    return { ...request, limits: { ...searches, ...request.limits } };
  }

  async #counted<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#pending.get(owner) ?? 0;
    const all = [...this.#pending.values()].reduce((sum, count) => sum + count, 0);
    if (all >= MAX_PENDING || own >= MAX_PENDING_OF_ONE) throw tooManyRequests();
    this.#pending.set(owner, own + 1);
    try {
      return await work();
    } finally {
      const left = (this.#pending.get(owner) as number) - 1;
      if (left === 0) this.#pending.delete(owner);
      else this.#pending.set(owner, left);
    }
  }

  /**
   * Computes the nodes that a selector with these queries would select.
   * @returns nodes, ascending @throws errors of `run`
   */
  select(
    generation: Generation,
    queries: readonly string[],
    environments: ReadonlySet<number> | undefined,
    origin: QueryOrigin,
  ): Promise<readonly number[]> {
    return this.#counted(origin.owner, async () => {
      const selected = new Set<number>();
      for (const query of queries) {
        const request = this.#bounded({
          ...{ query, parameters: {}, limits: SELECTOR_LIMITS, explain: false, selects: true },
          ...(environments && { environments: [...environments] }),
        });
        const { nodes } = await this.#previews.run(generation, () => request, origin);
        for (const node of nodes) selected.add(node);
      }
      return [...selected].sort((a, b) => a - b);
    });
  }

  /**
   * Runs the query of a check now, within the limits of a generation.
   * @throws errors of `run`
   */
  check(
    generation: Generation,
    query: string,
    environments: ReadonlySet<number> | undefined,
    { owner, signal }: QueryOrigin,
  ): Promise<CypherAnswer> {
    const request = this.#bounded({
      ...{ query, parameters: {}, limits: CHECK_LIMITS, explain: false },
      ...(environments && { environments: [...environments] }),
    });
    const limit = AbortSignal.timeout(SELECTOR_TIMES.selectorMs);
    const origin = { owner, signal: AbortSignal.any([signal, limit]) };
    return this.#counted(owner, async () => {
      try {
        return await this.#previews.run(generation, () => request, origin);
      } catch (error) {
        if (!limit.aborted || signal.aborted) throw error;
        throw new CypherError('limit', `it takes more than ${SELECTOR_TIMES.selectorMs / 1000} s`);
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
