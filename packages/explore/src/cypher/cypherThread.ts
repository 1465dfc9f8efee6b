/** Runs queries in a separate thread, one after the other, so that a hard one does not block other requests. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromGenerationThread, GenerationQuestion } from '@clew/common';
import { answerInTurn, createLogger, failureOf } from '@clew/common';
import {
  BUILT_IN_QUERIES,
  CypherError,
  DEFAULT_LIMITS,
  explainQuery,
  parseUpdates,
  placedMessage,
  productHint,
  propertyReads,
  propertyReadsOf,
  runQuery,
  runUpdates,
  type Value,
} from '@clew/cypher';
import { fromMessage, type Generation } from '@clew/generation';
import { type Cancel, throwIfCanceled } from '@clew/graph';
import { type QueryData, queryDataOf } from '@clew/queries';
import { connectDatabase, type Database } from '@clew/store';
import type pg from 'pg';
import { absentProperties, propertyNames } from './absentProperties.ts';
import { AnswerBuilder } from './answer.ts';
import { buffersOf, NO_ROWS, type PackedRows, RowPacker } from './answerRows.ts';
import { attackPropertyGraph, type Labels } from './attackPropertyGraph.ts';
import type { CypherAnswer, CypherRequest, CypherThreadOptions } from './cypherMessages.ts';
import { ALLOWANCE_USED, EFFORTS_NEEDED } from './cypherMessages.ts';
import { graphNames } from './graphNames.ts';
import { expectMemory } from './heapBound.ts';
import { graphWith, layerWarnings, ThreadLayers } from './layers/layerRun.ts';
import { keysOf, shownLayer } from './layers/shownLayer.ts';
import { NameIndex } from './nameIndex.ts';
import { PropertyColumns } from './propertyColumns.ts';
import { nodesIn } from './selectorQueries.ts';
import { typedParameters } from './typedCells.ts';

const port = parentPort as NonNullable<typeof parentPort>;
const { connection, logLevel, isPatient = false, readsAhead = false } = workerData as CypherThreadOptions;
const log = createLogger(logLevel).child({ component: 'cypher' });

/** Maximum number of objects in a graph for which one property loads in about 0.1 s. */
const QUICKLY_LOADED = 150_000;
/** Value for `nice`. */
const PATIENT = 5;
/** Properties used in built-in questions. */
let builtInKeys: readonly string[] | undefined;
/** Number of values of all objects loaded between queries: about 0.1 s. */
const VALUES_AT_ONCE = 400_000;
// On other systems, the priority applies to the whole process instead of the thread.
if (isPatient && process.platform === 'linux') setPriority(PATIENT);

/** Data kept for the generation of the last query. */
interface Known {
  readonly generation: Generation;
  readonly data: QueryData;
  readonly columns: PropertyColumns;
  readonly labels: Labels;
  names?: NameIndex;
  readonly layers: ThreadLayers;
  /** Names of properties, if the caller may see all objects. */
  propertyNames?: ReadonlySet<string>;
}

let known: Known | undefined;
let opened: Database | undefined;
const inTurn = answerInTurn(port, answer, close, forget);

function database(): Database {
  opened ??= connectDatabase(connection, log, { maxConnections: 1, applicationName: 'clew cypher' });
  return opened;
}

async function close(): Promise<void> {
  const closing = opened;
  opened = undefined;
  await closing?.close();
}

/** Frees its memory and database connection. */
async function forget(): Promise<void> {
  known = undefined;
  await close().catch(() => {});
}

async function answer({ id, input, cancel, message }: GenerationQuestion): Promise<void> {
  if (message !== undefined) {
    const generation = fromMessage(message);
    const data = queryDataOf(generation);
    const layers = new ThreadLayers(data, generation);
    known = { generation, data, columns: new PropertyColumns(data), labels: new Map(), layers };
    if (readsAhead && data.graph.nodeCount <= QUICKLY_LOADED) {
      builtInKeys ??= [...new Set(BUILT_IN_QUERIES.flatMap(({ query }) => [...propertyReads(query).nodes]))];
      loadBuiltIn(known, builtInKeys);
    }
  }
  const request = input as CypherRequest;
  try {
    throwIfCanceled(cancel);
    const result = await run(known as Known, request, cancel);
    port.postMessage({ id, result } satisfies FromGenerationThread, buffersOf(result.rows));
  } catch (error) {
    if (!(error instanceof CypherError)) send({ id, error: failureOf(error as Error) });
    else send({ id, error: { ...failureOf(error), message: placedMessage(error, request.query) } });
  }
}

/** Loads properties before the first caller of a built-in question needs them. */
function loadBuiltIn(of: Known, keys: readonly string[]): void {
  const count = Math.max(1, Math.floor(VALUES_AT_ONCE / Math.max(1, of.data.graph.nodeCount)));
  inTurn(async () => {
    if (known !== of) return;
    try {
      const client = await database().pool.connect();
      try {
        await of.columns.load(client, keys.slice(0, count));
      } finally {
        client.release();
      }
      if (keys.length > count) loadBuiltIn(of, keys.slice(count));
    } catch (error) {
      log.debug({ error: (error as Error).message }, 'properties are loaded on demand');
    }
  });
}

const send = (message: FromGenerationThread): void => port.postMessage(message);

const notCheap = (): Error => Object.assign(new Error('no cheap query'), { name: ALLOWANCE_USED });

function needEfforts(): never {
  throw Object.assign(new Error('it needs attack efforts'), { name: EFFORTS_NEEDED });
}

const NOTHING = { columns: [], rows: NO_ROWS, nodes: [], edges: [], warnings: [], plan: [], isEmpty: false };

async function run(kept: Known, request: CypherRequest, cancel: Cancel): Promise<CypherAnswer> {
  const { query, limits, environments, explain, profile, allowanceMs } = request;
  const { selects = false, wantsTable = true, isTyped = false, partial } = request;
  const began = performance.now();
  const { generation, data, columns } = kept;
  if (request.asksNames) return { ...NOTHING, rows: await namesAsRow(kept, environments), milliseconds: 0 };
  const { layer } = request;
  const updates = layer === undefined || explain ? undefined : parseUpdates(query);
  const reads = updates === undefined ? propertyReads(query) : propertyReadsOf(updates);
  const graph = attackPropertyGraph({
    ...{ generation, data, columns },
    names: () => {
      kept.names ??= new NameIndex(data.graph);
      return kept.names;
    },
    ...(environments ? { environments: new Set(environments) } : { labels: kept.labels }),
    ...((request.efforts ?? request.mayAskEfforts) && { efforts: () => request.efforts ?? needEfforts() }),
  });
  let isOver = false;
  let builder: AnswerBuilder | undefined;
  const checkpoint = (): void => {
    throwIfCanceled(cancel);
    // Once, because the results must still be grouped and sorted.
    if (partial !== undefined && !isOver && Date.now() > partial.until) {
      isOver = true;
      throw new CypherError('limit', 'its time limit expired');
    }
    if (allowanceMs !== undefined && performance.now() - began > allowanceMs) throw notCheap();
    expectMemory(builder?.bytes ?? 0);
  };
  const parameters = isTyped ? typedParameters(request.parameters) : request.parameters;
  const options = { parameters, limits, profile, checkpoint, partial: partial !== undefined };
  if (explain) {
    const plan = explainQuery(query, graph, options);
    const hints = plannedHints(query, (text) => explainQuery(text, graph, options));
    return { ...NOTHING, plan, hints, milliseconds: performance.now() - began };
  }
  const client = await database().pool.connect();
  const max = limits?.results ?? DEFAULT_LIMITS.results;
  try {
    const loading = {
      isForAll: allowanceMs === undefined || data.graph.nodeCount <= QUICKLY_LOADED,
      notForAll: notCheap,
    };
    if (layer !== undefined && updates !== undefined) {
      const changed = await kept.layers.change(
        client,
        layer,
        graph,
        options,
        (open) =>
          columns.withProperties(
            client,
            reads,
            () => {
              const result = runUpdates(query, updates, graph, open.state, options);
              const answer = new AnswerBuilder(result.graph, max, wantsTable, isTyped);
              builder = answer;
              for (const values of result.rows) answer.add(values);
              const found = answer.answer(result);
              const shown = shownLayer(graph, result.graph, result.state.changes, found, isTyped);
              return {
                answer: { ...found, layer: shown, changes: result.counts },
                state: result.state,
                isEmpty: false,
              };
            },
            loading,
          ),
        () => throwIfCanceled(cancel),
      );
      return { ...changed.answer, milliseconds: performance.now() - began };
    }
    const open = layer && (await kept.layers.open(client, layer, graph, options));
    const view = open === undefined ? graph : graphWith(graph, open);
    const answered = (): CypherAnswer => {
      if (selects) {
        const nodes = new Set<number>();
        const take = (values: readonly Value[]): void => {
          for (const node of nodesIn([values])) nodes.add(node);
        };
        const { warnings, isEmpty } = runQuery(query, graph, { ...options, asGraph: true, take });
        const selected = [...nodes].sort((a, b) => a - b);
        return { ...NOTHING, nodes: selected, warnings, isEmpty, milliseconds: performance.now() - began };
      }
      // Starts again after a property had to be loaded.
      const answer = new AnswerBuilder(view, max, wantsTable, isTyped);
      builder = answer;
      const take = (values: readonly Value[]): void => answer.add(values);
      const result = runQuery(query, view, { ...options, asGraph: !wantsTable, take });
      const found = answer.answer(result);
      const shown = open && shownLayer(graph, view, open.state.changes, found, isTyped);
      return { ...found, ...(shown && { layer: shown }), milliseconds: performance.now() - began };
    };
    const unwarned = await columns.withProperties(client, reads, answered, loading);
    const ofLayer = layer && open ? layerWarnings(layer, open) : [];
    const found = { ...unwarned, warnings: [...ofLayer, ...unwarned.warnings] };
    if (!found.isEmpty) return found;
    const visible = environments && new Set(environments);
    const names = await namesOf(kept, client, visible);
    const seen = visible && { data, columns, isHidden: hiddenFrom(data, visible) };
    const known = open === undefined ? names : new Set([...names, ...keysOf(open.state.changes)]);
    const absent = await absentProperties(client, reads, known, seen);
    return { ...found, warnings: [...absent, ...found.warnings] };
  } finally {
    client.release();
  }
}

/** @returns an empty list if the other text cannot be planned, so that hints never fail a query */
function plannedHints(
  query: string,
  plan: (text: string) => CypherAnswer['plan'],
): NonNullable<CypherAnswer['hints']> {
  try {
    const hint = productHint(query);
    return hint === undefined ? [] : [{ ...hint, plan: plan(hint.query) }];
  } catch (error) {
    if (!(error instanceof CypherError)) throw error;
    return [];
  }
}

async function namesAsRow(kept: Known, environments: readonly number[] | undefined): Promise<PackedRows> {
  const { data, generation } = kept;
  const visible = environments && new Set(environments);
  const isHidden = visible && hiddenFrom(data, visible);
  const client = await database().pool.connect();
  try {
    const packer = new RowPacker();
    const names = graphNames(data, generation, isHidden, await namesOf(kept, client, visible));
    packer.add([names], 1, true);
    return packer.rows();
  } finally {
    client.release();
  }
}

async function namesOf(
  kept: Known,
  client: pg.ClientBase,
  environments: ReadonlySet<number> | undefined,
): Promise<ReadonlySet<string>> {
  if (environments === undefined) {
    kept.propertyNames ??= await propertyNames(client, kept.data);
    return kept.propertyNames;
  }
  return propertyNames(client, kept.data, hiddenFrom(kept.data, environments));
}

const hiddenFrom =
  ({ graph }: QueryData, environments: ReadonlySet<number>) =>
  (node: number): boolean =>
    !environments.has(graph.environmentOf[node]);
