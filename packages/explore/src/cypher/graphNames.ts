/** Names that a query can use: labels, types and properties of any object or relationship that the caller may see. */
import type { Generation } from '@clew/generation';
import { edgeKindName, type QueryData } from '@clew/queries';
import { EDGE_PROPERTY_NAMES, SHORTCUTS, shownKind } from './attackPropertyGraph.ts';

export interface GraphNames {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly properties: readonly string[];
  readonly relationshipProperties: readonly string[];
}

const KIND_COUNT = 0x1_0000;

/** @param isHidden nodes that the caller may not see @param properties property names of objects */
export function graphNames(
  data: QueryData,
  generation: Generation,
  isHidden: ((node: number) => boolean) | undefined,
  properties: Iterable<string>,
): GraphNames {
  const { graph } = data;
  const { nodeCount, kindSetOf, out } = graph;
  const kindSets = new Uint8Array(graph.kindSets.length);
  const kinds = new Uint8Array(KIND_COUNT);
  const hidden = new Uint8Array(isHidden === undefined ? 0 : nodeCount);
  const zones = new Set<string>();
  for (let node = 0; node < nodeCount; node++) {
    if (isHidden?.(node)) {
      hidden[node] = 1;
      continue;
    }
    kindSets[kindSetOf[node]] = 1;
    for (const { kind, members } of data.zones)
      if (((members[node >>> 5] >>> (node & 31)) & 1) === 1) zones.add(kind);
  }
  for (let node = 0; node < nodeCount; node++) {
    if (hidden[node] === 1) continue;
    for (let at = out.offsets[node]; at < out.offsets[node + 1]; at++)
      if (hidden[out.neighbors[at]] !== 1) kinds[out.kinds[at]] = 1;
  }
  const labels = new Set(data.kindNames.flatMap((names, set) => (kindSets[set] === 1 ? names : [])));
  const types = new Set<string>();
  for (let kind = 0; kind < KIND_COUNT; kind++)
    if (kinds[kind] === 1) types.add(edgeKindName(generation, shownKind(kind)));
  const inOrder = (names: Iterable<string>): string[] => [...names].sort();
  return {
    labels: inOrder([...labels, ...zones]),
    types: [...inOrder(types), ...Object.keys(SHORTCUTS)],
    properties: inOrder(properties),
    relationshipProperties: EDGE_PROPERTY_NAMES,
  };
}
