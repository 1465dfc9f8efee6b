/**
 * Plans and simulations in a thread of their own: they take seconds, and hold the properties of a whole graph. The graph
 * itself is shared memory. What was loaded serves until another generation is asked about.
 */
import { parentPort, workerData } from 'node:worker_threads';
import {
  EVERYBODY_READS,
  edgePropertyReads,
  effortsOf,
  featuresIn,
  findingEdgeProperties,
  findingProperties,
  POLICY_MEMBER_READS,
  requiredEdgeProperties,
  requiredProperties,
  worldOf,
} from '@clew/analysis';
import {
  createLogger,
  type FromGenerationThread,
  failureOf,
  giveBackMemory,
  type ToGenerationThread,
} from '@clew/common';
import { enabledFeatures, loadFacts } from '@clew/explore';
import { fromMessage, type Generation } from '@clew/generation';
import { type Cancel, throwIfCanceled } from '@clew/graph';
import { connectDatabase } from '@clew/store';
import {
  assignStoredZones,
  findingZones,
  readStoredZones,
  selectedLast,
} from '../findings/zones/storedZones.ts';
import { readScannedComputers } from '../quality/scannedComputers.ts';
import type { PlanTaskName, PlanThreadOptions } from './planMessages.ts';
import { asIs, type PlanState } from './planState.ts';
import { PLAN_TASKS } from './planTasks.ts';

const port = parentPort as NonNullable<typeof parentPort>;
const { connection, logLevel, rules, costs, efforts: changed } = workerData as PlanThreadOptions;
const log = createLogger(logLevel).child({ component: 'plan' });
const database = connectDatabase(connection, log, { maxConnections: 2, applicationName: 'clew plan' });

let state: Promise<PlanState> | undefined;
let known: Generation | undefined;
/** Gives up the question at hand. */
let asked: Cancel | undefined;
/** One after the other: each takes all of a core. */
let turn: Promise<void> = Promise.resolve();

port.on('message', (message: ToGenerationThread) => {
  if (message.type === 'end') {
    void turn.then(() => database.close()).then(() => port.close());
    return;
  }
  turn = turn.then(() => (message.type === 'rest' ? giveBackMemory() : answer(message)));
});

async function answer({
  id,
  task,
  input,
  cancel,
  message,
}: Extract<ToGenerationThread, { type: 'run' }>): Promise<void> {
  // In its turn: questions before it are about the generation before. Also of a question that was given up.
  if (message !== undefined) {
    known = fromMessage(message);
    state = undefined;
  }
  try {
    throwIfCanceled(cancel);
    state ??= load(known as Generation);
    const ready = await state.catch((error: unknown) => {
      state = undefined;
      throw error;
    });
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

const send = (message: FromGenerationThread): void => port.postMessage(message);

async function load(generation: Generation): Promise<PlanState> {
  const began = performance.now();
  const edgeReads = [
    requiredEdgeProperties(),
    findingEdgeProperties(),
    edgePropertyReads(EVERYBODY_READS, POLICY_MEMBER_READS),
  ];
  const options = { rules, features: featuresIn(rules, await enabledFeatures(database.db)) };
  const client = await database.pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const context = await loadFacts(client, generation.graph, {
      nodeProperties: [...new Set([...requiredProperties(), ...findingProperties()])],
      edgeProperties: {
        keys: [...new Set(edgeReads.flatMap(({ keys }) => keys))],
        kinds: new Set(edgeReads.flatMap(({ kinds }) => [...kinds])),
      },
      options,
      cancelNow: () => asked,
    });
    const zones = await readStoredZones(client);
    // As they selected last: what a change would do to them is not worked out.
    const queried = selectedLast(generation.graph, zones);
    const scanned = await readScannedComputers(client, generation.graph);
    await client.query('commit');
    const world = worldOf(context, {
      zonesOf: (changed) => findingZones(assignStoredZones(changed, zones, queried)),
      now: Date.parse(generation.publishedAt) / 1000,
      scanned,
    });
    const ms = Math.round(performance.now() - began);
    log.info({ generation: generation.id, ms }, 'loaded what plans are made of');
    const efforts = effortsOf(generation.graph, changed);
    return { generation, world, costs, efforts, db: database.db, before: memo(() => asIs(world)) };
  } finally {
    client.release();
  }
}

function memo<Value>(make: () => Value): () => Value {
  let value: { readonly made: Value } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}
