/**
 * Runs plans and simulations in a separate thread: they take seconds and need the properties of a whole graph. The graph itself
 * is in shared memory. Loaded data is used until another generation is requested.
 */

import { isDeepStrictEqual } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { AnalysisContext, effortsOf, featuresIn, type ScannedComputers } from '@clew/analysis';
import type { FromGenerationThread, GenerationQuestion } from '@clew/common';
import { answerInTurn, createLogger, failureOf, tracedChild } from '@clew/common';
import { enabledFeatures, loadFacts, updatedAuthorities } from '@clew/explore';
import { fromMessage, type Generation, type GenerationFacts } from '@clew/generation';
import {
  type Cancel,
  EdgeProperties,
  isCanceled,
  NodeProperties,
  NodeSet,
  throwIfCanceled,
} from '@clew/graph';
import {
  assignStoredZones,
  findingZones,
  readMatches,
  readScannedComputers,
  readStoredZones,
  type StoredZone,
  selectedLast,
} from '@clew/judgment';
import { precompute, worldOf } from '@clew/planning';
import { connectDatabase } from '@clew/store';
import type pg from 'pg';
import { PLAN_EDGE_PROPERTIES, PLAN_PROPERTIES } from '../tasks/planReads.ts';
import { asIs, type PlanState } from '../tasks/planState.ts';
import { PLAN_TASKS } from '../tasks/planTasks.ts';
import { beginZonePlan } from '../tasks/zonePlan.ts';
import {
  COMPLETE,
  type PlanTaskName,
  type PlanThreadOptions,
  PREPARE,
  type Preparation,
} from './planMessages.ts';

const port = parentPort as NonNullable<typeof parentPort>;
const { connection, logLevel, rules, costs, efforts: changed } = workerData as PlanThreadOptions;
const log = createLogger(logLevel).child({ component: 'plan' });
const database = connectDatabase(connection, log, { maxConnections: 2, applicationName: 'clew plan' });

let facts: Promise<LoadedFacts> | undefined;
let state: Promise<PlanState> | undefined;
/** State of a plan that was started while the generation was being published, and its zones. */
let begun: { readonly state: PlanState; readonly zones: readonly StoredZone[] } | undefined;
let known: Generation | undefined;
/** Cancels the current question. */
let asked: Cancel | undefined;

answerInTurn(port, answer, () => database.close(), forget);

function forget(): void {
  known = undefined;
  facts = undefined;
  state = undefined;
  begun = undefined;
}

async function answer({ id, task, input, cancel, message }: GenerationQuestion): Promise<void> {
  // Runs even for a canceled question, in order, because earlier questions are about the previous generation.
  if (message !== undefined) {
    forget();
    known = fromMessage(message);
  }
  // Later questions use the loaded facts too, so canceling this question or the previous one must not stop the loading.
  asked = undefined;
  try {
    throwIfCanceled(cancel);
    if (task === PREPARE) {
      await prepare(known as Generation, input as Preparation);
      send({ id, result: undefined });
      return;
    }
    if (task === COMPLETE) {
      known = { ...(known as Generation), ...(input as Omit<Generation, 'graph'>) };
      send({ id, result: undefined });
      return;
    }
    const ready = await stateOf(known as Generation);
    const run = PLAN_TASKS[task as PlanTaskName] as (
      state: PlanState,
      input: unknown,
      progress: (done: unknown) => void,
    ) => unknown;
    const began = performance.now();
    asked = cancel;
    const result = await run(ready, input, (progress) => send({ id, progress }));
    log.info(
      { task, generation: ready.generation.id, ms: Math.round(performance.now() - began) },
      'answered',
    );
    send({ id, result });
  } catch (error) {
    send({ id, error: failureOf(error as Error) });
  }
}

/** Starts the plan with the stored zones, which may change when the generation is published. */
async function prepare(
  generation: Generation,
  { facts: read, plan: request, enough }: Preparation,
): Promise<void> {
  precompute((await knownFacts(generation, read)).context);
  if (request === undefined || isCanceled(enough)) return;
  const zones = await zonesOf(generation);
  const prepared = await stateIn(generation, zones);
  const run = beginZonePlan(prepared, request);
  while (!isCanceled(enough) && run.next());
  begun = { zones, state: { ...prepared, begun: run } };
}

/** Memoized per generation. */
async function stateOf(generation: Generation): Promise<PlanState> {
  const early = begun;
  begun = undefined;
  state ??= zonesOf(generation).then((zones) =>
    early !== undefined && isDeepStrictEqual(zones, early.zones)
      ? { ...early.state, generation }
      : stateIn(generation, zones),
  );
  try {
    return await state;
  } catch (error) {
    state = undefined;
    throw error;
  }
}

const send = (message: FromGenerationThread): void => port.postMessage(message);

/** Memoized per generation, including preparations before it is published. */
async function knownFacts(generation: Generation, read?: GenerationFacts): Promise<LoadedFacts> {
  facts ??= factsOf(generation, read);
  try {
    return await facts;
  } catch (error) {
    facts = undefined;
    throw error;
  }
}

interface LoadedFacts {
  readonly context: AnalysisContext;
  readonly scanned: ScannedComputers;
}

/** @param known facts that need not be read again */
async function factsOf(generation: Generation, known: GenerationFacts | undefined): Promise<LoadedFacts> {
  const updated = await updatedAuthorities(database.db);
  const options = {
    ...{ rules, features: featuresIn(rules, await enabledFeatures(database.db)) },
    ...(updated && { updatedAuthorities: updated }),
  };
  const read = timed('read the facts of a plan', generation, (client) =>
    readOnly(client, async () => ({
      context: await loadFacts(client, generation.graph, {
        nodeProperties: PLAN_PROPERTIES,
        edgeProperties: PLAN_EDGE_PROPERTIES,
        known: known && {
          ofNodes: NodeProperties.ofShared(known.nodeProperties),
          ofEdges: EdgeProperties.ofShared(known.edgeProperties),
        },
        options,
        cancelNow: () => asked,
      }),
      scanned: known ? scannedOf(generation, known) : await readScannedComputers(client, generation.graph),
    })),
  );
  const [loaded, matches] = await Promise.all([read, matchesOf(generation)]);
  if (matches === undefined) return loaded;
  const { graph, properties, edgeProperties } = loaded.context;
  const withMatches = { ...options, matches };
  return {
    ...loaded,
    context: new AnalysisContext({
      ...{ graph, properties, edgeProperties, options: withMatches, cancelNow: () => asked },
    }),
  };
}

function scannedOf({ graph }: Generation, { scanned }: GenerationFacts): ScannedComputers {
  const setOf = (bits: Uint32Array): NodeSet => NodeSet.ofBitmap(graph.nodeCount, bits);
  return { sessions: setOf(scanned.sessions), localGroups: setOf(scanned.localGroups) };
}

async function matchesOf({ id, graph, customNodeKinds, customEdgeKinds }: Generation) {
  if (graph.declared.derivations.length === 0) return undefined;
  const began = performance.now();
  const kinds = { graph, customNodeKinds, customEdgeKinds };
  const { matches, leftOut } = await readMatches(database, kinds, new AbortController().signal);
  const ms = Math.round(performance.now() - began);
  log.info({ generation: id, ms, leftOut }, 'read the matches of patterns');
  return matches;
}

const zonesOf = (generation: Generation): Promise<StoredZone[]> =>
  timed('read the zones of a plan', generation, (client) => readOnly(client, () => readStoredZones(client)));

async function stateIn(generation: Generation, zones: readonly StoredZone[]): Promise<PlanState> {
  const { context, scanned } = await knownFacts(generation);
  // Uses the last query results: the effect of a change on them is not computed.
  const queried = selectedLast(generation.graph, zones);
  const world = worldOf(context, {
    zonesOf: (changed) => findingZones(assignStoredZones(changed, zones, queried)),
    now: Date.parse(generation.publishedAt) / 1000,
    scanned,
  });
  const efforts = effortsOf(generation.graph, changed);
  return { generation, world, costs, efforts, db: database.db, database, before: memo(() => asIs(world)) };
}

async function timed<Result>(
  what: string,
  generation: Generation,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  const client = await database.pool.connect();
  try {
    const result = await tracedChild(what, {}, () => work(client));
    log.info({ generation: generation.id, ms: Math.round(performance.now() - began) }, what);
    return result;
  } finally {
    client.release();
  }
}

async function readOnly<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin isolation level repeatable read read only');
  try {
    return await work();
  } finally {
    await client.query('rollback').catch(() => {});
  }
}

function memo<Value>(make: () => Value): () => Value {
  let value: { readonly made: Value } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}
