/** Finds nodes by whole name or object id, or by name prefix, with binary searches only. */
import { type AttackGraph, findNamedNode, NO_NODE } from '@clew/graph';
import type { SearchIndex } from './searchIndex.ts';

/**
 * @param text in upper case
 * @param asWritten in the requested case, for case-sensitive ids of some sources
 * @returns the object with this id, then all objects with this name by object id
 */
export function exactHits(graph: AttackGraph, index: SearchIndex, text: string, asWritten = text): number[] {
  const needle = Buffer.from(text);
  const byId = findNamedNode(graph, asWritten);
  const from = firstRank(index, (rank) => compareName(index, rank, needle) >= 0);
  const to = firstRank(index, (rank) => compareName(index, rank, needle) > 0);
  const named = [...index.nodeOfRank.subarray(from, to)].filter((node) => node !== byId);
  return byId === NO_NODE || index.rankOfNode[byId] === NO_NODE ? named : [byId, ...named];
}

/** @returns the first rank whose name has the prefix, and the first one after them */
export function ranksBeginningWith(
  index: SearchIndex,
  text: string,
): { readonly from: number; readonly to: number } {
  const needle = Buffer.from(text);
  const from = firstRank(index, (rank) => compareName(index, rank, needle) >= 0);
  const isBehind = (rank: number): boolean =>
    rank >= from && !nameAt(index, rank).subarray(0, needle.length).equals(needle);
  return { from, to: firstRank(index, isBehind) };
}

/** @returns nodes whose names have the prefix, in name order, on demand */
export function* namesBeginningWith(index: SearchIndex, text: string): Generator<number> {
  const needle = Buffer.from(text);
  const from = firstRank(index, (rank) => compareName(index, rank, needle) >= 0);
  for (
    let rank = from;
    rank < index.count && nameAt(index, rank).subarray(0, needle.length).equals(needle);
    rank++
  ) {
    yield index.nodeOfRank[rank];
  }
}

/** @returns the first rank that passes a test that all later ones pass */
function firstRank(index: SearchIndex, passes: (rank: number) => boolean): number {
  let low = 0;
  let high = index.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function compareName(index: SearchIndex, rank: number, needle: Buffer): number {
  return nameAt(index, rank).compare(needle);
}

/** @returns the name without its trailing NUL byte */
function nameAt({ names }: SearchIndex, rank: number): Buffer {
  const { bytes, offsets } = names;
  const start = offsets[rank];
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset + start, offsets[rank + 1] - 1 - start);
}
