/**
 * The flat graph map: nodes by graph id, edges by `rel_` and a number.
 * Rule: `docs/reference/queries.md#graph-answers`.
 */
import type { GraphMapEdge, GraphMapNode } from '@clew/api';
import type { Generation } from '@clew/generation';
import { edgeKindOf, endOf, startOf } from '@clew/graph';
import { EdgeFlag, EdgeKind, type Properties } from '@clew/model';
import { edgeKindName, labelOf, type QueryData, type Way } from '@clew/queries';
import type { NodeDetails } from '@clew/store';
import { isVisible, type Visibility } from '../visibility.ts';
import { appearanceOf } from './appearance.ts';
import type { Looks } from './kindLooks.ts';
import { hiddenName, nodeFacts, shownName, withName } from './nodeSigns.ts';

const EDGE_COLOR = '3a5464';

export function nodeKey(data: QueryData, node: number): string {
  return String(data.graph.storeIds[node]);
}

/** Display properties of a node besides its kind. */
export interface NodeSigns {
  readonly looks: Looks;
  readonly connecting?: boolean;
}

/** @param details absent if a list only shows names */
export function mapNode(
  data: QueryData,
  node: number,
  details: NodeDetails | undefined,
  signs: NodeSigns,
): GraphMapNode {
  const label = labelOf(data, node);
  return drawnNode(
    label,
    shownName(data, node),
    {
      ...withName(data, node, details?.properties),
      ...nodeFacts(data, node),
      nodetype: label,
      ...(signs.connecting === true ? { connecting: true } : {}),
    },
    signs.looks,
  );
}

/** Represents a node that the caller may not see: only its kind is shown. */
export function hiddenMapNode(data: QueryData, node: number, looks: Looks): GraphMapNode {
  const label = labelOf(data, node);
  return drawnNode(label, hiddenName(label), { hidden: true, nodetype: label }, looks);
}

export function visibleMapNode(
  data: QueryData,
  visibility: Visibility,
  node: number,
  details: NodeDetails | undefined,
  signs: NodeSigns,
): GraphMapNode {
  return isVisible(data, visibility, node)
    ? mapNode(data, node, details, signs)
    : hiddenMapNode(data, node, signs.looks);
}

/** @param facts all known facts about the edge (`edgeFacts`) */
export function mapEdge(
  data: QueryData,
  generation: Generation,
  edge: number,
  facts: Properties,
): [key: string, edge: GraphMapEdge] {
  const kind = edgeKindName(generation, edgeKindOf(data.graph, edge));
  return [
    `rel_${edge}`,
    drawnEdge(nodeKey(data, startOf(data.graph, edge)), nodeKey(data, endOf(data.graph, edge)), kind, facts),
  ];
}

/** A path through objects that are not shown: one dashed edge, with its kinds in order. */
export function mapWay(
  data: QueryData,
  generation: Generation,
  visibility: Visibility,
  way: Way,
): [key: string, edge: GraphMapEdge] {
  const kinds = way.kinds.map((kind) => edgeKindName(generation, kind));
  const through = way.through.map((node) =>
    isVisible(data, visibility, node) ? shownName(data, node) : hiddenName(labelOf(data, node)),
  );
  const [start, end] = [nodeKey(data, way.start), nodeKey(data, way.end)];
  const drawn = drawnEdge(start, end, kinds.join(' > '), { kinds, through });
  return [`rel_${start}_${end}`, { ...drawn, lineStyle: 'dashed' }];
}

/**
 * @returns the flags of an edge, by their property names in files. A flag of a kind is written whether true or false: that a link is not
 * enforced is also a fact (`docs/reference/collections.md#containment`)
 */
export function edgeFlagProperties(data: QueryData, edge: number): Record<string, boolean> {
  const flags = data.graph.out.flags[edge];
  const kind = edgeKindOf(data.graph, edge);
  const isCollected = (flags & EdgeFlag.Derived) === 0;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  return {
    ...(has(EdgeFlag.HasAcl) || has(EdgeFlag.Acl) ? { isacl: has(EdgeFlag.Acl) } : {}),
    ...(has(EdgeFlag.Acl) ? { isinherited: has(EdgeFlag.Inherited) } : {}),
    ...(has(EdgeFlag.Enforced) || (isCollected && kind === EdgeKind.GPLink)
      ? { enforced: has(EdgeFlag.Enforced) }
      : {}),
    ...(has(EdgeFlag.PrimaryGroup) || (isCollected && kind === EdgeKind.MemberOf)
      ? { isprimarygroup: has(EdgeFlag.PrimaryGroup) }
      : {}),
    ...(has(EdgeFlag.Derived) ? { derived: true } : {}),
  };
}

export function drawnNode(
  label: string,
  text: string,
  data: Record<string, unknown>,
  looks: Looks = appearanceOf,
): GraphMapNode {
  const { icon, color } = looks(label);
  return {
    color,
    size: 1,
    border: { color: 'black' },
    fontIcon: { text: icon },
    label: { text, backgroundColor: 'rgba(255,255,255,0.9)', fontSize: 14, center: true },
    data,
  };
}

export function drawnEdge(
  start: string,
  end: string,
  text: string,
  properties: Record<string, unknown>,
): GraphMapEdge {
  return {
    id1: start,
    id2: end,
    color: EDGE_COLOR,
    label: { text },
    end2: { arrow: true },
    data: properties,
  };
}
