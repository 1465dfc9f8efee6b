/**
 * Local groups of single machines by how their names begin. The search for records leaves them out, so they are not among
 * the names of the index; the search for a graph finds them by a binary search over their order.
 */
import { type AttackGraph, nameOf, objectIdOf } from '@clew/graph';
import type { SearchIndex } from './searchIndex.ts';

/** @param text in upper case @returns local groups whose names begin with the text, by name; made on demand */
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
