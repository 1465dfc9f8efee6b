/**
 * What a query reads: the graph of one generation and the marks of its nodes. Plain columns over shared memory, so
 * a worker thread gets the same bytes by a message of a few hundred characters.
 */
import type { AttackGraph } from '@clew/graph';
import type { NodeMarks } from '../generation/nodeMarks.ts';

export interface QueryData {
  /** Number of the generation: two queries with equal numbers see the same data. */
  readonly generation: number;
  readonly graph: AttackGraph;
  readonly marks: NodeMarks;
}
