/** Runs queries in threads: in the one that has the least to do. */
import { CypherError, type CypherErrorKind } from '@clew/cypher';
import type { Generation } from '@clew/generation';
import { tooManyRequests } from '../operation/apiError.ts';
import { GenerationThread, orAborted, plainError } from '../threads/generationThread.ts';
import type { CypherAnswer, CypherRequest, CypherThreadOptions } from './cypherMessages.ts';
import { SELECTOR_LIMITS } from './selectorQueries.ts';

const THREADS = 2;
/** Queries that run or wait; more are told to come back. */
const MOST_PENDING = 32;

export class CypherRunner {
  readonly #threads: readonly GenerationThread[];

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

  /**
   * @param signal ends the query
   * @throws CypherError, the reason of the signal; ApiError 429 when too many queries wait
   */
  async run(generation: Generation, request: CypherRequest, signal: AbortSignal): Promise<CypherAnswer> {
    const pending = this.#threads.map((thread) => thread.pendingCount);
    if (pending.reduce((sum, count) => sum + count) >= MOST_PENDING) throw tooManyRequests();
    // The first thread of those that are free: what it has loaded serves again.
    const thread = this.#threads[pending.indexOf(Math.min(...pending))];
    const answer = thread.ask(generation, 'query', request, signal) as Promise<CypherAnswer>;
    return orAborted(answer, signal);
  }

  /**
   * What a selector with these queries would select.
   * @returns nodes, ascending @throws as `run`
   */
  async select(
    generation: Generation,
    queries: readonly string[],
    environments: ReadonlySet<number> | undefined,
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const selected = new Set<number>();
    for (const query of queries) {
      const request = {
        ...{ query, parameters: {}, limits: SELECTOR_LIMITS, explain: false, selects: true },
        ...(environments && { environments: [...environments] }),
      };
      for (const node of (await this.run(generation, request, signal)).nodes) selected.add(node);
    }
    return [...selected].sort((a, b) => a - b);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
