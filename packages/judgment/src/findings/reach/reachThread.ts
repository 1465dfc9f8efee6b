/** Computes reachability and exits; the question is passed at startup. */
import { parentPort, workerData } from 'node:worker_threads';
import { findReach } from '@clew/analysis';
import { type Condensation, importColumns, NodeSet } from '@clew/graph';
import type { ReachAnswer, ReachRequest } from './reachMessages.ts';

const { columns, allows, blocked, everybody } = workerData as ReachRequest;
const graph = importColumns(columns);
const { forward, upstream, beyondEverybody } = findReach({
  graph,
  steps: { allows },
  blocked: new Map(blocked.map(([rank, bitmap]) => [rank, NodeSet.ofBitmap(graph.nodeCount, bitmap)])),
  everybody: NodeSet.ofBitmap(graph.nodeCount, everybody),
});
const answer: ReachAnswer = {
  forward: plain(forward),
  upstream: [...upstream].map(([rank, condensation]) => [rank, plain(condensation)]),
  beyondEverybody: plain(beyondEverybody),
};
const made = [
  answer.forward,
  answer.beyondEverybody,
  ...answer.upstream.map(([, condensation]) => condensation),
];
parentPort?.postMessage(answer, [...new Set(made.flatMap(buffersOf))]);

/** The caller already has the blocked nodes. */
function plain({ blocked: _, ...columnsOfIt }: Condensation): Omit<Condensation, 'blocked'> {
  return columnsOfIt;
}

/** Buffers are transferred instead of copied. */
function buffersOf(condensation: Omit<Condensation, 'blocked'>): ArrayBuffer[] {
  return Object.values(condensation).flatMap((column) =>
    ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : [],
  );
}
