/** The graph model of the interface, and the conversion from answers. */
import type { GraphMap, UnifiedGraph } from '@clew/api';
import { cleanText, visibleText } from '../text/cleanText.ts';

export interface GraphNode {
  /** Object id; for objects that the user may not see, the key. */
  readonly id: string;
  /** Number of the node in the current generation, for operations that require it. */
  readonly key: string | undefined;
  /** Cleaned full name; while names are masked, the pseudonym. */
  readonly name: string;
  /** Never masked: for stored values only, not for display. */
  readonly plainName: string;
  readonly kind: string;
  readonly isTierZero: boolean;
  readonly isOwned: boolean;
  readonly isHidden: boolean;
  /** Whether the object of a saved drawing is no longer in the graph. */
  readonly isGone?: boolean;
  /** Objects that this one represents, if equal ones are folded. */
  readonly folded?: readonly string[];
  /** Words for their common part; absent if the objects are equal. */
  readonly foldedBy?: string;
}

export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly kind: string;
  readonly isDerived: boolean;
  readonly isInherited: boolean;
  readonly isAcl: boolean;
  /** Whether it represents a path through objects that are not shown. */
  readonly isWay: boolean;
  readonly lastSeen: string | undefined;
  /** Whether the relationship of a saved drawing is no longer in the graph. */
  readonly isGone?: boolean;
  /** Whether it was added to the answer, so that paths of the answer do not contain it. */
  readonly isAdded?: boolean;
}

export interface Graph {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: readonly GraphEdge[];
}

export const EMPTY_GRAPH: Graph = { nodes: new Map(), edges: [] };

export const edgeKey = ({ source, kind, target }: Pick<GraphEdge, 'source' | 'kind' | 'target'>): string =>
  JSON.stringify([source, kind, target]);

export function fromUnified({ nodes, edges }: UnifiedGraph): Graph {
  const ids = new Map(Object.entries(nodes).map(([key, node]) => [key, node.objectId || key]));
  return {
    nodes: new Map(
      Object.entries(nodes).map(([key, node]) => [
        ids.get(key)!,
        {
          id: ids.get(key)!,
          key,
          ...namesOf(node.label || node.objectId),
          kind: node.kind,
          isTierZero: node.isTierZero,
          isOwned: node.isOwnedObject,
          isHidden: node.hidden === true,
        },
      ]),
    ),
    edges: edges.map(({ source, target, kind, properties, lastSeen }) => ({
      source: ids.get(source) ?? source,
      target: ids.get(target) ?? target,
      kind,
      lastSeen,
      ...flagsOf(properties),
    })),
  };
}

/** @returns the name of an object for stored values, such as the title of a change in What if */
export const plainName = ({ nodes }: Graph, id: string): string => nodes.get(id)?.plainName ?? id;

const namesOf = (text: string) => ({ name: cleanText(text), plainName: visibleText(text) });

const flagsOf = (properties: Readonly<Record<string, unknown>> = {}) => ({
  isDerived: properties.derived === true,
  isInherited: properties.isinherited === true,
  isAcl: properties.isacl === true,
  isWay: false,
});

export function fromGraphMap(map: GraphMap): Graph {
  const nodes = new Map<string, GraphNode>();
  const ids = new Map<string, string>();
  const edges: GraphEdge[] = [];
  for (const [key, item] of Object.entries(map)) {
    if ('id1' in item) continue;
    const id = String(item.data.objectid ?? key);
    ids.set(key, id);
    const tags = String(item.data.system_tags ?? '').split(' ');
    nodes.set(id, {
      id,
      key,
      ...namesOf(String(item.data.name ?? item.label.text)),
      kind: String(item.data.nodetype ?? 'Unknown'),
      isTierZero: tags.includes('admin_tier_0'),
      isOwned: tags.includes('owned'),
      isHidden: item.data.hidden === true,
    });
  }
  for (const item of Object.values(map)) {
    if (!('id1' in item)) continue;
    edges.push({
      source: ids.get(item.id1) ?? item.id1,
      target: ids.get(item.id2) ?? item.id2,
      kind: item.label.text,
      ...flagsOf(item.data),
      isWay: item.lineStyle === 'dashed',
      lastSeen: undefined,
    });
  }
  return { nodes, edges: edges.filter(({ source, target }) => nodes.has(source) && nodes.has(target)) };
}

interface PathRecord {
  readonly nodes: readonly { readonly object_id: string; readonly name: string; readonly kind: string }[];
  readonly relations: readonly string[];
}

export function fromPaths(paths: readonly PathRecord[]): Graph {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  for (const path of paths) {
    for (const { object_id, name, kind } of path.nodes)
      nodes.set(object_id, plainNode({ object_id, name, kind }));
    path.relations.forEach((kind, at) => {
      const edge = plainEdge(path.nodes[at].object_id, kind, path.nodes[at + 1].object_id);
      edges.set(edgeKey(edge), edge);
    });
  }
  return { nodes, edges: [...edges.values()] };
}

export const plainNode = (object: { object_id: string; name: string; kind: string }): GraphNode => ({
  id: object.object_id,
  key: undefined,
  ...namesOf(object.name || object.object_id),
  kind: object.kind,
  isTierZero: false,
  isOwned: false,
  isHidden: false,
});

export const plainEdge = (source: string, kind: string, target: string): GraphEdge => ({
  ...{ source, kind, target },
  ...{ isDerived: false, isInherited: false, isAcl: false, isWay: false, lastSeen: undefined },
});

/** Merges graphs: each object and relationship once; the more detailed one is kept. */
export function unite(graphs: readonly Graph[]): Graph {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  for (const graph of graphs) {
    for (const [id, node] of graph.nodes)
      if (nodes.get(id)?.key === undefined) nodes.set(id, { ...nodes.get(id), ...node });
    for (const edge of graph.edges) edges.set(edgeKey(edge), edge);
  }
  return { nodes, edges: [...edges.values()] };
}

/** @param marks objects that were read separately @returns the same graph with their marks; no object is added */
export const marked = (graph: Graph, marks: Graph['nodes']): Graph =>
  unite([graph, { nodes: new Map([...marks].filter(([id]) => graph.nodes.has(id))), edges: [] }]);

export function without(graph: Graph, hidden: ReadonlySet<string>): Graph {
  if (hidden.size === 0) return graph;
  return {
    nodes: new Map([...graph.nodes].filter(([id]) => !hidden.has(id))),
    edges: graph.edges.filter(({ source, target }) => !hidden.has(source) && !hidden.has(target)),
  };
}
