/**
 * The search index of a generation: sorted upper-case names, and the grams of names and object ids. In shared memory; built in a thread
 * when a generation is published.
 */
import { hasKind, NO_NODE, nameOf, objectIdOf, textBytes } from '@clew/graph';
import { NodeKind } from '@clew/model';
import type { QueryData } from '../queryData.ts';
import { buildGramIndex, type GramIndex, type TextHeap } from './gramIndex.ts';
import { sortTexts } from './sortTexts.ts';

export interface SearchIndex {
  /** Number of searchable nodes. */
  readonly count: number;
  /** Nodes ordered by name, then by object id; the index of a node is its rank. */
  readonly nodeOfRank: Uint32Array;
  /** `NO_NODE` for a node that is not searchable. */
  readonly rankOfNode: Uint32Array;
  /** Nodes excluded from the record search, ordered by name, then by object id. */
  readonly localGroups: Uint32Array;
  /** Names by rank, in upper case, each with a trailing NUL byte, so that no match spans two names. */
  readonly names: TextHeap;
  /** Index of names, over ranks. */
  readonly nameGrams: GramIndex;
  /** Index of ids, over node numbers. */
  readonly idGrams: GramIndex;
  /** Bitmap of the rank blocks with a node of each kind set; absent if there are too many sets. */
  readonly kindSetBlocks?: readonly Uint32Array[];
}

/** Excludes local groups of computers. Rule: `docs/reference/queries.md#search`. */
function isSearchable({ graph }: QueryData, node: number): boolean {
  return !hasKind(graph, node, NodeKind.ADLocalGroup) || hasKind(graph, node, NodeKind.Group);
}

export function buildSearchIndex(data: QueryData): SearchIndex {
  const { graph } = data;
  const all = Uint32Array.from({ length: graph.nodeCount }, (_, node) => node);
  const nodes = all.filter((node) => isSearchable(data, node));
  const others = all.filter((node) => !isSearchable(data, node));
  const byNode = upperCaseNames(data);
  sortTexts(byNode, nodes);
  sortTexts(byNode, others);
  const localGroups = new Uint32Array(new SharedArrayBuffer(others.length * 4));
  localGroups.set(others);

  const nodeOfRank = new Uint32Array(new SharedArrayBuffer(nodes.length * 4));
  nodeOfRank.set(nodes);
  const rankOfNode = new Uint32Array(new SharedArrayBuffer(graph.nodeCount * 4)).fill(NO_NODE);
  for (let rank = 0; rank < nodes.length; rank++) rankOfNode[nodes[rank]] = rank;
  const names = inOrder(byNode, nodeOfRank);
  const nameGrams = buildGramIndex(names, nodes.length, () => false);
  return {
    count: nodes.length,
    nodeOfRank,
    rankOfNode,
    localGroups,
    names,
    nameGrams,
    idGrams: buildGramIndex(graph.objectIds, graph.nodeCount, (node) => rankOfNode[node] === NO_NODE),
    kindSetBlocks: markKindSetBlocks(data, nodeOfRank, nameGrams),
  };
}

/** Limit for unusual graphs with many kinds. */
const MAX_KIND_SETS = 1_000;

function markKindSetBlocks(
  { graph }: QueryData,
  nodeOfRank: Uint32Array,
  { blockSize, blockCount }: GramIndex,
): readonly Uint32Array[] | undefined {
  if (graph.kindSets.length > MAX_KIND_SETS) return undefined;
  const words = Math.ceil(blockCount / 32);
  const marks = graph.kindSets.map(() => new Uint32Array(new SharedArrayBuffer(words * 4)));
  for (let rank = 0; rank < nodeOfRank.length; rank++) {
    const block = Math.floor(rank / blockSize);
    marks[graph.kindSetOf[nodeOfRank[rank]]][block >>> 5] |= 1 << (block & 31);
  }
  return marks;
}

/** @returns the displayed name of each node, in upper case; a node without a name is shown by its object id */
function upperCaseNames({ graph }: QueryData): TextHeap {
  const offsets = new Uint32Array(graph.nodeCount + 1);
  let bytes = new Uint8Array(graph.names.bytes.length + graph.nodeCount + 1024);
  let used = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    const column = graph.names.offsets[node + 1] > graph.names.offsets[node] ? graph.names : graph.objectIds;
    let text = textBytes(column, node);
    if (!isAscii(text)) text = Buffer.from((nameOf(graph, node) || objectIdOf(graph, node)).toUpperCase());
    if (used + text.length > bytes.length) {
      const grown = new Uint8Array(Math.max(bytes.length * 2, used + text.length));
      grown.set(bytes);
      bytes = grown;
    }
    for (let at = 0; at < text.length; at++) {
      const byte = text[at];
      bytes[used + at] = byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
    }
    used += text.length;
    offsets[node + 1] = used;
  }
  return { bytes, offsets };
}

function isAscii(text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at++) if (text[at] >= 0x80) return false;
  return true;
}

function inOrder({ bytes, offsets }: TextHeap, nodeOfRank: Uint32Array): TextHeap {
  const count = nodeOfRank.length;
  const ordered = new Uint32Array(new SharedArrayBuffer((count + 1) * 4));
  for (let rank = 0; rank < count; rank++) {
    const node = nodeOfRank[rank];
    ordered[rank + 1] = ordered[rank] + offsets[node + 1] - offsets[node] + 1;
  }
  const heap = new Uint8Array(new SharedArrayBuffer(ordered[count]));
  for (let rank = 0; rank < count; rank++) {
    const node = nodeOfRank[rank];
    heap.set(bytes.subarray(offsets[node], offsets[node + 1]), ordered[rank]);
  }
  return { bytes: heap, offsets: ordered };
}
