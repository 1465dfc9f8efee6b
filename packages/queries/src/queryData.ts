/**
 * The data for a query: the graph of a generation, the marks and kind names of its nodes. It consists of columns in shared memory and short
 * lists, so a worker thread receives it in a small message.
 */

import type { Generation, NodeMarks, PublishedZone } from '@clew/generation';
import { type AttackGraph, getOrMake } from '@clew/graph';
import { displayKind, edgeKindById, edgeKindByName, nodeKindById, nodeKindByName } from '@clew/model';

export interface QueryData {
  /** Number of the generation: two queries with equal numbers see the same data. */
  readonly generation: number;
  readonly graph: AttackGraph;
  readonly marks: NodeMarks;
  readonly zones: readonly PublishedZone[];
  /** Kind names of each kind set, in stored order. */
  readonly kindNames: readonly (readonly string[])[];
  /** The displayed kind of each kind set. */
  readonly labels: readonly string[];
}

const dataOfGeneration = new WeakMap<Generation, QueryData>();

/** Created once per generation. */
export function queryDataOf(generation: Generation): QueryData {
  return getOrMake(dataOfGeneration, generation, () => {
    const kindNames = generation.graph.kindSets.map((kinds) =>
      kinds.map((kind) => nodeKindName(generation, kind)),
    );
    return {
      generation: generation.id,
      graph: generation.graph,
      marks: generation.marks,
      zones: generation.zones ?? [],
      kindNames,
      labels: kindNames.map(displayKind),
    };
  });
}

function nodeKindName(generation: Generation, kind: number): string {
  return nodeKindById(kind)?.name ?? generation.customNodeKinds.get(kind) ?? 'Unknown';
}

/** @param kinds numbers, in stored order @returns the displayed kind */
export function labelOfKinds(generation: Generation, kinds: readonly number[]): string {
  return displayKind(kinds.map((kind) => nodeKindName(generation, kind)));
}

export function edgeKindName(generation: Generation, kind: number): string {
  return edgeKindById(kind)?.name ?? generation.customEdgeKinds.get(kind) ?? 'Unknown';
}

/** @returns the number of a built-in or custom kind; `undefined` for an unknown name */
export function nodeKindNumber({ customNodeKinds }: Generation, name: string): number | undefined {
  return nodeKindByName(name)?.id ?? keyOf(customNodeKinds, name);
}

/** Like `nodeKindNumber`, for edges. */
export function edgeKindNumber({ customEdgeKinds }: Generation, name: string): number | undefined {
  return edgeKindByName(name)?.id ?? keyOf(customEdgeKinds, name);
}

function keyOf(names: ReadonlyMap<number, string>, wanted: string): number | undefined {
  for (const [number, name] of names) if (name === wanted) return number;
  return undefined;
}

/** @returns the displayed kind of a node */
export function labelOf(data: QueryData, node: number): string {
  return data.labels[data.graph.kindSetOf[node]];
}

/** @returns names of all kinds of the node */
export function kindNamesOf(data: QueryData, node: number): readonly string[] {
  return data.kindNames[data.graph.kindSetOf[node]];
}

/** @returns bitmap of the objects in any of these zones, by zone id */
export function membersOfZones(data: QueryData, ids: readonly number[]): Uint32Array {
  const united = new Uint32Array(Math.ceil(data.graph.nodeCount / 32));
  for (const { id, members } of data.zones) {
    if (!ids.includes(id)) continue;
    for (let word = 0; word < united.length; word++) united[word] |= members[word];
  }
  return united;
}

/** @returns names of all displayed kinds of the node: its own, and those of its zones and labels */
export function shownKindsOf(data: QueryData, node: number): readonly string[] {
  const own = kindNamesOf(data, node);
  const tagged = data.zones.filter(({ members }) => ((members[node >>> 5] >>> (node & 31)) & 1) === 1);
  return tagged.length === 0 ? own : [...own, ...tagged.map(({ kind }) => kind)];
}
