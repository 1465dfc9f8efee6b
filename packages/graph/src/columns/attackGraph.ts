/**
 * The attack graph in memory: one consistent generation as columns of typed arrays over SharedArrayBuffers, so
 * that all threads share the same memory. It holds only numbers, knows nothing of Active Directory, and does no
 * I/O.
 *
 * Nodes are numbered 0..nodeCount-1 in ascending byte order of their object ids, so the same content always gets
 * the same numbers, in any order of upload. The edges of a node are sorted by (neighbor, kind); the number of an
 * edge is its index in `out`.
 */
import type { DeclaredKinds } from './declaredKinds.ts';
import type { TextColumn } from './textColumn.ts';

/** One direction of the edges as compressed sparse rows (CSR). Takes 7 bytes per edge plus 4 per node. */
export interface Adjacency {
  /** nodeCount + 1 entries; edges of node n are at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
  /** Node at the other end. */
  readonly neighbors: Uint32Array;
  /** Kind number of the edge. */
  readonly kinds: Uint16Array;
  /** Flag bits of the edge. */
  readonly flags: Uint8Array;
}

export interface AttackGraph {
  readonly nodeCount: number;
  readonly edgeCount: number;
  /** The node's id in the store: the internal graph id that answers show. */
  readonly storeIds: Uint32Array;
  /** Sorted in ascending byte order, so `findNode` is a binary search. */
  readonly objectIds: TextColumn;
  /** The text is empty for a node without a name. */
  readonly names: TextColumn;
  /** Index into `kindSets`, one entry per node. */
  readonly kindSetOf: Uint16Array | Uint32Array;
  /** Distinct lists of node kind numbers, in stored order. */
  readonly kindSets: readonly (readonly number[])[];
  /** Number of the environment node (domain, tenant) that the node belongs to; NO_NODE if unknown. */
  readonly environmentOf: Uint32Array;
  readonly out: Adjacency;
  readonly in: Adjacency;
  /** Definitions of kinds that the data declares. */
  readonly declared: DeclaredKinds;
}

/** Exclusive upper limit of edge kind numbers, because columns store them in 16 bits. */
export const KIND_COUNT = 0x1_0000;

/** Marks a missing node in columns of node numbers. */
export const NO_NODE = 0xffff_ffff;
