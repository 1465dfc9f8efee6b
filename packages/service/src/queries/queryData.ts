/**
 * What a query reads: the graph of one generation and the marks of its nodes. Plain columns over shared memory, so
 * a worker thread gets the same bytes by a message of a few hundred characters.
 */
import type { AttackGraph } from '@clew/graph';

/** One bit a node, for the few properties that decide whether a query takes a step or keeps a result. */
export interface NodeMarks {
  /** `blocksinheritance` of an organizational unit. */
  readonly blocksInheritance: Uint32Array;
  /** The node belongs to Tier Zero. */
  readonly tierZero: Uint32Array;
  /** Somebody marked the node as taken over. */
  readonly owned: Uint32Array;
}

export interface QueryData {
  /** Number of the generation: two queries with equal numbers see the same data. */
  readonly generation: number;
  readonly graph: AttackGraph;
  readonly marks: NodeMarks;
}

export type MarkName = keyof NodeMarks;

/** @returns marks of a graph in which no node carries one. */
export function noMarks(nodeCount: number): NodeMarks {
  const bitmap = (): Uint32Array => new Uint32Array(new SharedArrayBuffer(Math.ceil(nodeCount / 32) * 4));
  return { blocksInheritance: bitmap(), tierZero: bitmap(), owned: bitmap() };
}

export function isMarked(marks: NodeMarks, mark: MarkName, node: number): boolean {
  return ((marks[mark][node >>> 5] >>> (node & 31)) & 1) === 1;
}

/** Sets the mark; only while the marks are being made. */
export function setMark(marks: NodeMarks, mark: MarkName, node: number): void {
  marks[mark][node >>> 5] |= 1 << (node & 31);
}
