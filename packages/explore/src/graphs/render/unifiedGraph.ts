/** The graph form of paths: nodes by graph id, edges as a list. Rule: `docs/reference/queries.md#paths`. */
import { type UnifiedGraph, type UnifiedNode, ZERO_TIME } from '@clew/api';
import type { Generation } from '@clew/generation';
import { edgeKindOf, endOf, objectIdOf, startOf } from '@clew/graph';
import type { Properties } from '@clew/model';
import { edgeKindName, kindNamesOf, labelOf, type QueryData, shownKindsOf } from '@clew/queries';
import type { NodeDetails } from '@clew/store';
import { isVisible, type Visibility } from '../visibility.ts';
import { edgeFacts, lastSeenOf } from './edgeFacts.ts';
import { nodeKey } from './graphMap.ts';
import { hiddenName, isOwned, isTierZero, nodeFacts, shownName } from './nodeSigns.ts';

/** Shown for a node that was deleted from the store after the generation was loaded. */
const NEVER = ZERO_TIME;

export interface ShownProperties {
  /** Whether to include all stored node properties. */
  readonly withProperties?: boolean;
  /** Stored edge properties (`readEdges`); without details, nodes only show values from memory. */
  readonly edgeProperties?: ReadonlyMap<number, Properties>;
}

/**
 * @param nodes in order of number
 * @param edges in order of number: by start, end and kind
 * @param details details by store id
 */
export function unifiedGraph(
  data: QueryData,
  generation: Generation,
  visibility: Visibility,
  nodes: Iterable<number>,
  edges: Iterable<number>,
  details: ReadonlyMap<number, Partial<NodeDetails>>,
  { withProperties = false, edgeProperties }: ShownProperties = {},
): UnifiedGraph {
  const lastSeen = (node: number): string => details.get(data.graph.storeIds[node])?.lastSeen ?? NEVER;
  /** The stored properties, with other stored values of the node, as clients of the public service expect. */
  const wholeMap = (node: number): Properties => ({
    ...details.get(data.graph.storeIds[node])?.properties,
    ...nodeFacts(data, node),
    lastseen: lastSeen(node),
  });
  const shown: Record<string, UnifiedNode> = {};
  for (const node of nodes) {
    shown[nodeKey(data, node)] = isVisible(data, visibility, node)
      ? {
          ...visibleNode(data, node, lastSeen(node)),
          ...(withProperties
            ? { properties: wholeMap(node) }
            : edgeProperties && { properties: nodeFacts(data, node) }),
        }
      : hiddenNode(data, node);
  }
  return {
    nodes: shown,
    edges: Array.from(edges, (edge) => {
      const [start, end] = [startOf(data.graph, edge), endOf(data.graph, edge)];
      const kind = edgeKindName(generation, edgeKindOf(data.graph, edge));
      return {
        source: nodeKey(data, start),
        target: nodeKey(data, end),
        label: kind,
        kind,
        lastSeen: lastSeenOf(data, generation, details, edge),
        ...((withProperties || edgeProperties) && {
          properties: edgeFacts(data, generation, { seen: details, stored: edgeProperties }, edge),
        }),
      };
    }),
  };
}

function visibleNode(data: QueryData, node: number, lastSeen: string): UnifiedNode {
  return {
    label: shownName(data, node),
    kind: labelOf(data, node),
    kinds: [...shownKindsOf(data, node)],
    objectId: objectIdOf(data.graph, node),
    isTierZero: isTierZero(data, node),
    isOwnedObject: isOwned(data, node),
    lastSeen,
  };
}

function hiddenNode(data: QueryData, node: number): UnifiedNode {
  const kind = labelOf(data, node);
  return {
    label: hiddenName(kind),
    kind,
    kinds: [...kindNamesOf(data, node)],
    objectId: '',
    isTierZero: false,
    isOwnedObject: false,
    lastSeen: NEVER,
    hidden: true,
  };
}
