/**
 * Runs queries in threads. They wait in one queue in which each principal is served in turn, and no principal has all
 * threads or all places of the queue: whatever one asks, others are answered.
 */
import { CypherError, type CypherErrorKind } from '@clew/cypher';
import type { Generation } from '@clew/generation';
import { tooManyRequests } from '../operation/apiError.ts';
import { FairQueue } from '../threads/fairQueue.ts';
import { GenerationThread, plainError } from '../threads/generationThread.ts';
import type { CypherAnswer, CypherRequest, CypherThreadOptions } from './cypherMessages.ts';
import { SELECTOR_LIMITS } from './selectorQueries.ts';

const THREADS = 3;
/** Threads that one principal may have at once. */
const MAX_RUNNING_OF_ONE = THREADS - 1;
/** Queries that run or wait; more are told to come back. */
const MAX_PENDING = 64;
const MAX_PENDING_OF_ONE = 32;

export interface QueryOrigin {
  /** Id of the principal who asks. */
  readonly owner: string;
  /** Ends the query. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly owner: string;
  /** Settles when the thread is free again. */
  readonly start: (thread: GenerationThread) => Promise<void>;
}

export class CypherRunner {
  readonly #threads: readonly GenerationThread[];
  readonly #queue = new FairQueue<Waiting>();
  /** Owners of the queries that run, by thread. */
  readonly #running = new Map<GenerationThread, string>();

  constructor({ memoryBytes, ...options }: CypherThreadOptions & { readonly memoryBytes?: number }) {
    this.#threads = Array.from(
      { length: THREADS },
      () =>
        new GenerationThread({
          name: 'cypher',
          script: new URL('./cypherThread.ts', import.meta.url),
          workerData: options,
          memoryBytes,
          errorOf: (failure) =>
            failure.name === 'CypherError'
              ? new CypherError(failure.kind as CypherErrorKind, failure.message)
              : plainError(failure),
        }),
    );
  }

  /** @throws CypherError, the reason of the signal; ApiError 429 when too many queries wait */
  async run(generation: Generation, request: CypherRequest, origin: QueryOrigin): Promise<CypherAnswer> {
    const { owner, signal } = origin;
    signal.throwIfAborted();
    const isFull = this.#queue.size + this.#running.size >= MAX_PENDING;
    if (isFull || this.#queue.sizeOf(owner) + this.#runningOf(owner) >= MAX_PENDING_OF_ONE)
      throw tooManyRequests();
    const { promise, resolve, reject } = Promise.withResolvers<CypherAnswer>();
    const waiting: Waiting = {
      owner,
      start: async (thread) => {
        try {
          resolve((await thread.ask(generation, 'query', request, signal)) as CypherAnswer);
        } catch (error) {
          reject(error);
        }
      },
    };
    const onAbort = (): void => {
      this.#queue.remove(owner, waiting);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#queue.push(owner, waiting);
    this.#next();
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /**
   * What a selector with these queries would select.
   * @returns nodes, ascending @throws as `run`
   */
  async select(
    generation: Generation,
    queries: readonly string[],
    environments: ReadonlySet<number> | undefined,
    origin: QueryOrigin,
  ): Promise<readonly number[]> {
    const selected = new Set<number>();
    for (const query of queries) {
      const request = {
        ...{ query, parameters: {}, limits: SELECTOR_LIMITS, explain: false, selects: true },
        ...(environments && { environments: [...environments] }),
      };
      for (const node of (await this.run(generation, request, origin)).nodes) selected.add(node);
    }
    return [...selected].sort((a, b) => a - b);
  }

  #runningOf(owner: string): number {
    return [...this.#running.values()].filter((one) => one === owner).length;
  }

  #next(): void {
    // The first thread of those that are free: what it has loaded serves again.
    const thread = this.#threads.find((one) => !this.#running.has(one));
    if (thread === undefined) return;
    const next = this.#queue.take((owner) => this.#runningOf(owner) < MAX_RUNNING_OF_ONE);
    if (next === undefined) return;
    this.#running.set(thread, next.owner);
    void next.start(thread).then(() => {
      this.#running.delete(thread);
      this.#next();
    });
    this.#next();
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
