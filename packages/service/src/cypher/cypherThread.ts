/** Runs queries in a thread of its own, one after the other: a hard one holds up no request but those that ask it. */
import { parentPort, workerData } from 'node:worker_threads';
import {
  CypherError,
  DEFAULT_LIMITS,
  explainQuery,
  placedMessage,
  propertyReads,
  type QueryResult,
  runQuery,
} from '@clew/cypher';
import { fromMessage, type Generation } from '@clew/generation';
import { type Cancel, throwIfCancelled } from '@clew/graph';
import { type QueryData, queryDataOf } from '@clew/queries';
import { connectDatabase } from '@clew/store';
import { createLogger } from '../config/log.ts';
import {
  type FromGenerationThread,
  failureOf,
  type ToGenerationThread,
} from '../threads/generationThread.ts';
import { answerOf } from './answer.ts';
import { attackPropertyGraph } from './attackPropertyGraph.ts';
import type { CypherAnswer, CypherRequest, CypherThreadOptions } from './cypherMessages.ts';
import { NameIndex } from './nameIndex.ts';
import { PropertyColumns } from './propertyColumns.ts';
import { nodesIn } from './selectorQueries.ts';

const port = parentPort as NonNullable<typeof parentPort>;
const { connection, logLevel } = workerData as CypherThreadOptions;
const log = createLogger(logLevel).child({ component: 'cypher' });
const database = connectDatabase(connection, log, { maxConnections: 1, applicationName: 'clew cypher' });

/** What is kept of the generation that was asked about last. */
interface Known {
  readonly generation: Generation;
  readonly data: QueryData;
  readonly columns: PropertyColumns;
  names?: NameIndex;
}

let known: Known | undefined;
let turn: Promise<void> = Promise.resolve();

port.on('message', (message: ToGenerationThread) => {
  if (message.type === 'end') {
    void turn.then(() => database.close()).then(() => port.close());
    return;
  }
  turn = turn.then(() => answer(message));
});

async function answer({
  id,
  input,
  cancel,
  message,
}: Extract<ToGenerationThread, { type: 'run' }>): Promise<void> {
  if (message !== undefined) {
    const generation = fromMessage(message);
    const data = queryDataOf(generation);
    known = { generation, data, columns: new PropertyColumns(data) };
  }
  const request = input as CypherRequest;
  try {
    throwIfCancelled(cancel);
    send({ id, result: await run(known as Known, request, cancel) });
  } catch (error) {
    if (!(error instanceof CypherError)) send({ id, error: failureOf(error as Error) });
    else send({ id, error: { ...failureOf(error), message: placedMessage(error, request.query) } });
  }
}

const send = (message: FromGenerationThread): void => port.postMessage(message);

const NOTHING = { columns: [], rows: [], nodes: [], edges: [], warnings: [], plan: [] };

async function run(
  kept: Known,
  { query, parameters, limits, environments, explain, profile, selects = false }: CypherRequest,
  cancel: Cancel,
): Promise<CypherAnswer> {
  const began = performance.now();
  const reads = propertyReads(query);
  const { generation, data, columns } = kept;
  const graph = attackPropertyGraph({
    ...{ generation, data, columns },
    names: () => {
      kept.names ??= new NameIndex(data.graph);
      return kept.names;
    },
    ...(environments && { environments: new Set(environments) }),
  });
  const options = { parameters, limits, profile, look: () => throwIfCancelled(cancel) };
  if (explain) {
    const plan = explainQuery(query, graph, options);
    return { ...NOTHING, plan, milliseconds: performance.now() - began };
  }
  const client = await database.pool.connect();
  let result: QueryResult;
  try {
    result = await columns.withProperties(client, reads, () => runQuery(query, graph, options));
  } finally {
    client.release();
  }
  if (selects) {
    const nodes = [...nodesIn(result.rows)].sort((a, b) => a - b);
    return { ...NOTHING, nodes, milliseconds: performance.now() - began };
  }
  const found = answerOf(result, graph);
  const most = limits?.results ?? DEFAULT_LIMITS.results;
  if (found.nodes.length + found.edges.length > most)
    throw new CypherError('limit', `the answer names more than ${most} objects and edges: use LIMIT`);
  return { ...found, milliseconds: performance.now() - began };
}
