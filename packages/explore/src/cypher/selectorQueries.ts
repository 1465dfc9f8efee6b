/**
 * Queries that select members of zones: run on the graph of a new generation, in a thread that is terminated if a query does not end. Zones
 * are those of the previous generation, so that a query may use them. Rule: `docs/cypher.md#selectors`.
 */
import { hash } from 'node:crypto';
import { GenerationThread, isOutOfMemory, plainError } from '@clew/common';
import {
  CypherError,
  type CypherErrorKind,
  isList,
  isMap,
  NodeValue,
  PathValue,
  type Value,
} from '@clew/cypher';
import { emptyGeneration, noMarks, type PublishedZone } from '@clew/generation';
import type { AttackGraph } from '@clew/graph';
import { type ConnectionConfig, storableText } from '@clew/store';
import type { CypherAnswer, CypherRequest, CypherThreadOptions } from './cypherMessages.ts';

/** A selector with queries, and the data of its last runs. */
export interface SelectorQuery {
  readonly selectorId: number;
  readonly queries: readonly string[];
  /** Milliseconds of its last run; absent before the first one. */
  readonly milliseconds?: number;
  /** Set if its last run timed out. */
  readonly timedOut?: TimedOut;
  /** Nodes of the environments that its queries may see; absent for all. */
  readonly environments?: readonly number[];
}

/** A selector that timed out is not tried again on a graph of similar size. */
export interface TimedOut {
  /** Number of edges in the graph. */
  readonly edges: number;
  /** Digest of its queries. */
  readonly digest: string;
}

/** The result, or a storable reason why there is no new one, in which case the previous result stays. */
export type Ran<Found> = (Found | { readonly error: string; readonly timedOut?: TimedOut }) & {
  /** Absent if it did not run. */
  readonly milliseconds?: number;
};

/** The result of one selector. */
export type Selected = Ran<{
  readonly nodes: readonly number[];
  /** Why one of its queries found nothing. */
  readonly warnings?: readonly string[];
}>;

/** A selector runs with each generation, so its limits are lower than those of a query for which a user waits. */
export const SELECTOR_LIMITS = { steps: 200_000_000, rows: 1_000_000, results: 1_000_000 };

/** A check runs as often, and its values, which findings show, are stored. */
export const CHECK_LIMITS = { ...SELECTOR_LIMITS, results: 200_000 };

/** A watch delivers rows that a user reads: many small values, or fewer long ones. */
export const WATCH_LIMITS = { ...SELECTOR_LIMITS, results: 200_000 };

export interface SelectorTimes {
  /** Time limit of one selector. */
  readonly selectorMs: number;
  /** Time limit of all selectors of a generation. */
  readonly allMs: number;
}
export const SELECTOR_TIMES: SelectorTimes = { selectorMs: 30_000, allMs: 60_000 };

/** Limits on the resources that selectors use. */
export interface SelectorBounds {
  readonly times?: SelectorTimes;
  /** Memory limit of their thread. */
  readonly memoryBytes?: number;
  /** Limits of each of their queries. */
  readonly limits?: typeof SELECTOR_LIMITS;
}
/** Relative change of the graph size after which a selector that timed out is tried again. */
const MUCH = 0.1;

export interface SelectorGraph {
  readonly graph: AttackGraph;
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
  readonly zones: readonly PublishedZone[];
}

export interface SelectorRunOptions {
  readonly connection: ConnectionConfig;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Called before each selector, and with `undefined` after the last. */
  readonly onSelector?: (selectorId: number | undefined) => Promise<void>;
  /** End of the shared time limit, which others have partly used, in milliseconds since the epoch; default: starts now. */
  readonly ends?: number;
  readonly bounds?: SelectorBounds;
}

/** Selects the part of the answers that counts. */
interface Reading<Found> {
  /** Name of the task in messages. */
  readonly plural: string;
  readonly selects: boolean;
  /** @throws CypherError if the answer cannot be used */
  readonly take: (answers: readonly CypherAnswer[]) => Found;
}

/**
 * Runs the fastest ones first, so that slow ones do not use their time.
 * @returns results by selector; a failure of one does not affect the others @throws the abort reason
 */
export function runSelectorQueries(
  graph: SelectorGraph,
  selectors: readonly SelectorQuery[],
  options: SelectorRunOptions,
): Promise<ReadonlyMap<number, Selected>> {
  return runStoredQueries(graph, selectors, options, {
    ...{ plural: 'selectors', selects: true },
    take: (answers) => ({
      nodes: [...new Set(answers.flatMap(({ nodes }) => nodes))],
      warnings: answers.flatMap(({ isEmpty, warnings }) => (isEmpty ? warnings.map(storableText) : [])),
    }),
  });
}

/** Like `runSelectorQueries`, for any part of the answers. */
export async function runStoredQueries<Found>(
  graph: SelectorGraph,
  selectors: readonly SelectorQuery[],
  { connection, signal, onSelector, ends: given, bounds = {} }: SelectorRunOptions,
  { plural, selects, take }: Reading<Found>,
): Promise<ReadonlyMap<number, Ran<Found>>> {
  const { times = SELECTOR_TIMES, memoryBytes, limits = SELECTOR_LIMITS } = bounds;
  const results = new Map<number, Ran<Found>>();
  if (selectors.length === 0) return results;
  const generation = { ...emptyGeneration(), ...graph, id: ++runs, marks: noMarks(graph.graph.nodeCount) };
  const { key, thread } = takeThread({ connection, logLevel: 'warn' }, memoryBytes);
  const order = [...selectors].sort(
    (a, b) => (a.milliseconds ?? 0) - (b.milliseconds ?? 0) || a.selectorId - b.selectorId,
  );
  const ends = given ?? Date.now() + times.allMs;
  const edges = graph.graph.edgeCount;
  try {
    for (const selector of order) {
      signal.throwIfAborted();
      const { selectorId, queries, environments } = selector;
      const left = Math.min(times.selectorMs, ends - Date.now());
      const passed = whyNot(selector, edges, left, times, plural);
      if (passed !== undefined) {
        results.set(selectorId, passed);
        continue;
      }
      await onSelector?.(selectorId);
      const ask = async (query: string, until: AbortSignal): Promise<CypherAnswer> => {
        const request: CypherRequest = {
          ...{ query, parameters: {}, limits, explain: false, selects },
          ...(environments && { environments }),
        };
        return (await thread.ask(generation, 'query', request, until)) as CypherAnswer;
      };
      // Starting the thread, or its replacement, does not count as query time.
      await ask('RETURN 1', signal);
      const limit = AbortSignal.timeout(left);
      const until = AbortSignal.any([signal, limit]);
      const began = Date.now();
      try {
        const answers: CypherAnswer[] = [];
        for (const query of queries) answers.push(await ask(query, until));
        results.set(selectorId, { ...take(answers), milliseconds: Date.now() - began });
      } catch (error) {
        signal.throwIfAborted();
        const milliseconds = Date.now() - began;
        if (limit.aborted) {
          // If others used up the time, the selector is tried again.
          const isOwn = left === times.selectorMs || milliseconds * 2 > times.allMs;
          const timedOut = isOwn ? { timedOut: { edges, digest: digestOf(queries) } } : {};
          results.set(selectorId, { error: tooLong(left), ...timedOut, milliseconds });
        } else if (error instanceof CypherError)
          results.set(selectorId, { error: storableText(error.message), milliseconds });
        // The next selector starts another thread.
        else if (isOutOfMemory(error))
          results.set(selectorId, { error: 'it needs more memory than a query can use', milliseconds });
        else throw error;
      }
    }
    await keepThread(key, thread);
  } catch (error) {
    // It may still be running a query.
    await thread.close();
    throw error;
  } finally {
    await onSelector?.(undefined);
  }
  return results;
}

/** Distinguishes the graphs sent to a thread. */
let runs = 0;
/** Kept for the next run: a generation has up to five, and a start takes a tenth of a second of CPU time. */
let kept: { readonly key: string; readonly thread: GenerationThread } | undefined;

interface TakenThread {
  readonly key: string;
  readonly thread: GenerationThread;
}

/** @returns the kept thread, or another one: simultaneous runs do not wait for each other */
function takeThread(workerData: CypherThreadOptions, memoryBytes: number | undefined): TakenThread {
  const key = JSON.stringify([workerData, memoryBytes]);
  if (kept?.key === key) {
    const taken = kept;
    kept = undefined;
    return taken;
  }
  const thread = new GenerationThread({
    name: 'stored-queries',
    script: new URL('./cypherThread.ts', import.meta.url),
    workerData,
    memoryBytes,
    errorOf: (failure) =>
      failure.name === 'CypherError'
        ? new CypherError(failure.kind as CypherErrorKind, failure.message)
        : plainError(failure),
  });
  return { key, thread };
}

/** It keeps neither the graph nor connections, so its memory is free, and its database may be removed. */
async function keepThread(key: string, thread: GenerationThread): Promise<void> {
  // A thread that has ended has no data; the results of the queries are still valid.
  await thread.forget().catch(() => {});
  const other = kept;
  kept = { key, thread };
  await other?.thread.close();
}

const tooLong = (ms: number): string => `it takes more than ${Math.round(ms / 100) / 10} s`;

const digestOf = (queries: readonly string[]): string => hash('sha256', JSON.stringify(queries));

/** @returns why a selector does not run now; `undefined` if it does */
function whyNot(
  { queries, timedOut }: SelectorQuery,
  edges: number,
  left: number,
  { allMs, selectorMs }: SelectorTimes,
  plural: string,
): { readonly error: string; readonly timedOut?: TimedOut } | undefined {
  if (timedOut !== undefined && timedOut.digest === digestOf(queries)) {
    const change = Math.abs(edges - timedOut.edges) / Math.max(1, timedOut.edges);
    if (change < MUCH)
      return {
        error: `${tooLong(selectorMs)}: it will be retried when its query or a tenth of the graph has changed`,
        timedOut,
      };
  }
  if (left > 0) return undefined;
  return { error: `the previous ${plural} took ${allMs / 1000} s together: it was not run this time` };
}

/** Objects in rows, including those in paths and lists, but not ends of relationships. */
export function nodesIn(rows: readonly (readonly Value[])[]): Set<number> {
  const nodes = new Set<number>();
  const take = (value: Value): void => {
    if (value instanceof NodeValue) nodes.add(value.node);
    else if (value instanceof PathValue) for (const node of value.nodes) nodes.add(node);
    else if (isList(value)) value.forEach(take);
    else if (isMap(value)) Object.values(value).forEach(take);
  };
  for (const row of rows) row.forEach(take);
  return nodes;
}
