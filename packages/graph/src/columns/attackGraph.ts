/**
 * The attack graph in memory: one consistent generation as columns of typed arrays over SharedArrayBuffers,
 * so that every thread reads the same bytes. Knows numbers, not Active Directory, and does no I/O.
 *
 * Nodes have dense numbers 0..nodeCount-1 in ascending byte order of their object ids, so equal content gives equal numbers whatever the
 * order of upload. Edges of a node are in ascending order of (neighbor, kind); the number of an edge is its position in `out`.
 */
import type { DeclaredKinds } from './declaredKinds.ts';
import type { TextColumn } from './textColumn.ts';

/** One direction of the edges, compressed sparse rows. 7 bytes per edge plus 4 per node. */
export interface Adjacency {
  /** nodeCount + 1 entries; edges of node n are at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
  /** Node at the other end. */
  readonly neighbors: Uint32Array;
  /** Kind number of the edge. */
  readonly kinds: Uint16Array;
  /** Bits of the edge. */
  readonly flags: Uint8Array;
}

export interface AttackGraph {
  readonly nodeCount: number;
  readonly edgeCount: number;
  /** Number of the node in the store: the internal graph id that answers show. */
  readonly storeIds: Uint32Array;
  /** Ascending in byte order, so `findNode` is a binary search. */
  readonly objectIds: TextColumn;
  /** Empty text for a node without a name. */
  readonly names: TextColumn;
  /** Index into `kindSets`, one entry a node. */
  readonly kindSetOf: Uint16Array | Uint32Array;
  /** Distinct lists of node kind numbers, in stored order. */
  readonly kindSets: readonly (readonly number[])[];
  /** Node number of the environment (domain, tenant) the node belongs to; NO_NODE when unknown. */
  readonly environmentOf: Uint32Array;
  readonly out: Adjacency;
  readonly in: Adjacency;
  /** Definitions of kinds that the data declares. */
  readonly declared: DeclaredKinds;
}

/** Kinds of edges are numbers below this: columns hold them in 16 bits. */
export const KIND_COUNT = 0x1_0000;

/** Marks a missing node in columns of node numbers. */
export const NO_NODE = 0xffff_ffff;
