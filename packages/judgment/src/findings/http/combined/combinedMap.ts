/** Combined nodes in answers: as objects with their own ids, and as graphs. */
import type { GraphMap, GraphMapNode } from '@clew/api';
import { drawnEdge, drawnNode, hiddenName, shownName } from '@clew/explore';
import type { Generation } from '@clew/generation';
import { NO_NODE, objectIdOf } from '@clew/graph';
import { type CombinedTree, edgeKindName, labelOf, type QueryData, SAMPLE_SIZE } from '@clew/queries';

/** A tree with its scope. */
export interface CombinedView {
  readonly generation: Generation;
  readonly data: QueryData;
  readonly tree: CombinedTree;
  readonly zone: { readonly id: number; readonly name: string };
  /** Object id; missing if the tree covers all environments. */
  readonly environment?: string;
}

const ROOT = 0;
/** Maximum number of nodes per answer. Further nodes are requested by their own ids. */
export const MAX_SHOWN = 500;

/** The parts of the object id of a combined node. */
export interface CombinedId {
  readonly zone: number;
  readonly node: number | 'root';
  readonly environment?: string;
}

const COMBINED_ID = /^META-(\d{1,9})-(ROOT|[0-9A-F]{14})-(.+)$/s;
const ALL = 'ALL';

export function parseCombinedId(text: string): CombinedId | undefined {
  const [, zone, node, environment] = COMBINED_ID.exec(text.toUpperCase()) ?? [];
  if (zone === undefined) return undefined;
  return {
    zone: Number(zone),
    node: node === 'ROOT' ? 'root' : Number.parseInt(node, 16),
    ...(environment === ALL ? {} : { environment }),
  };
}

function combinedId({ tree, zone, environment = ALL }: CombinedView, place: number): string {
  const node = place === ROOT ? 'ROOT' : tree.ids[place].toString(16).toUpperCase();
  return `META-${zone.id}-${node}-${environment}`;
}

/** @returns the place of the node with this number; `undefined` if the tree has none */
export function placeOf({ ids }: CombinedTree, node: number): number | undefined {
  const place = ids.indexOf(node);
  return place < 0 ? undefined : place;
}

/** All properties of a combined node. */
export function combinedProps(view: CombinedView, place: number): Record<string, unknown> {
  const { tree, zone, environment, generation } = view;
  const step = { edge_kind: edgeKindName(generation, tree.edgeKinds[place]) };
  return {
    objectid: combinedId(view, place),
    name: nameOf(view, place),
    nodetype: 'Meta',
    ...(environment === undefined ? {} : { domainsid: environment }),
    asset_group_tag_id: zone.id,
    is_root: place === ROOT,
    ...(place === ROOT ? {} : { ...step, kind: kindOf(view, place) }),
    depth: tree.depths[place],
    object_count: tree.objects[place],
    principal_count: tree.principals[place],
    upstream_principal_count: tree.upstream[place],
    child_count: tree.childCounts[place],
    objects: samplesOf(view, place).map((node) => ({
      objectid: objectIdOf(view.data.graph, node),
      name: shownName(view.data, node),
      kind: labelOf(view.data, node),
    })),
  };
}

export function combinedMapNode(view: CombinedView, place: number): [key: string, node: GraphMapNode] {
  const label = place === ROOT ? 'Meta' : kindOf(view, place);
  const count = view.tree.objects[place];
  const text = place === ROOT ? `${view.zone.name} (${count})` : nameOf(view, place);
  return [String(view.tree.ids[place]), drawnNode(label, text, combinedProps(view, place))];
}

/** The node with its path to the zone and the nodes that lead to it, nearest first. */
export function combinedGraph(view: CombinedView, from: number): GraphMap {
  const { tree, generation } = view;
  const places = [...wayToRoot(tree, from), ...nodesBehind(tree, from)];
  const nodes = places.map((place) => combinedMapNode(view, place));
  const edges = places
    .filter((place) => place !== ROOT)
    .map((place) => {
      const [start, end] = [String(tree.ids[place]), String(tree.ids[tree.parents[place]])];
      const kind = edgeKindName(generation, tree.edgeKinds[place]);
      return [`rel_${start}_${end}`, drawnEdge(start, end, kind, { kind })] as const;
    });
  return Object.fromEntries<GraphMap[string]>([...nodes, ...edges]);
}

/** Lists nodes from the root to the node. */
function wayToRoot({ parents }: CombinedTree, from: number): number[] {
  const way = [from];
  for (let place = from; place !== ROOT; ) {
    place = parents[place];
    way.unshift(place);
  }
  return way;
}

/** Orders the nodes before each node by the number of principals that pass through them, most first. */
function nodesBehind(tree: CombinedTree, from: number): number[] {
  const found: number[] = [];
  for (let at = -1; at < found.length && found.length < MAX_SHOWN; at++) {
    const place = at < 0 ? from : found[at];
    const children = Array.from(
      { length: tree.childCounts[place] },
      (_, child) => tree.firstChild[place] + child,
    );
    const most = children.sort((a, b) => tree.upstream[b] - tree.upstream[a] || a - b);
    // Sliced, because one node may have more children than a call accepts arguments.
    found.push(...most.slice(0, MAX_SHOWN));
  }
  return found.slice(0, MAX_SHOWN);
}

function nameOf(view: CombinedView, place: number): string {
  const count = view.tree.objects[place];
  if (place === ROOT) return view.zone.name;
  const kind = kindOf(view, place);
  if (count === 0) return hiddenName(kind);
  const [only] = samplesOf(view, place);
  return count === 1 ? shownName(view.data, only) : `${count} × ${kind}`;
}

function kindOf({ data, tree }: CombinedView, place: number): string {
  return data.labels[tree.kindSets[place]];
}

function samplesOf({ tree }: CombinedView, place: number): number[] {
  const samples = tree.samples.subarray(place * SAMPLE_SIZE, (place + 1) * SAMPLE_SIZE);
  return [...samples].filter((node) => node !== NO_NODE);
}
