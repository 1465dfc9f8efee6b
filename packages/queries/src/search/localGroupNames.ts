/**
 * Local groups of computers by name prefix. The record search excludes them, so the index does not contain their names; the graph search
 * finds them by binary search.
 */
import { type AttackGraph, nameOf, objectIdOf } from '@clew/graph';
import type { SearchIndex } from './searchIndex.ts';

/** @param text in upper case @returns local groups whose names have the prefix, by name, on demand */
export function* localGroupsBeginningWith(
  graph: AttackGraph,
  { localGroups }: SearchIndex,
  text: string,
): Generator<number> {
  const needle = Buffer.from(text);
  let low = 0;
  let high = localGroups.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (shownName(graph, localGroups[middle]).compare(needle) >= 0) high = middle;
    else low = middle + 1;
  }
  for (let at = low; at < localGroups.length; at++) {
    if (!shownName(graph, localGroups[at]).subarray(0, needle.length).equals(needle)) return;
    yield localGroups[at];
  }
}

const shownName = (graph: AttackGraph, node: number): Buffer =>
  Buffer.from((nameOf(graph, node) || objectIdOf(graph, node)).toUpperCase());
