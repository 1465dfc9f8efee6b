/** A graph as the owner of a layer sees it. */
import { CypherError } from '../cypherError.ts';
import type { LabelSet, PropertyGraph } from '../graph/propertyGraph.ts';
import { equals } from '../values/compare.ts';
import type { Value, ValueMap } from '../values/values.ts';
import type { GraphChanges, PartChange } from './graphChanges.ts';
import type { LayeredColumns } from './layeredColumns.ts';

/** Ids of nodes that a layer makes begin here: those of the graph are lower. */
export const MADE_NODE_IDS = 2 ** 31;

const FREE = { spend: () => {} };

/** @param columns of the layer; `undefined` if it makes and removes nothing */
export function layeredGraph(
  graph: PropertyGraph,
  changes: GraphChanges,
  columns: LayeredColumns | undefined,
): PropertyGraph {
  const { nodeCount } = graph;
  const { removedNodes } = changes;
  const madeNode = (node: number) => changes.madeNodes[node - nodeCount];
  const originOf = (edge: number): number => columns?.origins[edge] ?? edge;
  const madeEdge = (origin: number) => changes.madeEdges[origin - graph.edgeCount];
  const isGone = (node: number): boolean =>
    node < nodeCount
      ? removedNodes.has(node) || graph.isHidden?.(node) === true
      : madeNode(node) === undefined;
  const hasGone =
    graph.isHidden !== undefined || removedNodes.size > 0 || changes.madeNodes.includes(undefined);
  const labels = new Map<string, LabelSet | undefined>();
  const hasLabel = (node: number, name: string): boolean => {
    if (isGone(node)) return false;
    if (node >= nodeCount) return madeNode(node)?.labels.has(name) === true;
    return changes.nodes.get(node)?.labels.get(name) ?? graph.label(name)?.has(node) === true;
  };
  const changed = (change: PartChange | undefined, key: string, ofGraph: () => Value): Value => {
    const own = change?.properties.get(key);
    if (own !== undefined) return own;
    return change?.isReplaced === true ? null : ofGraph();
  };
  const nodeProperty = (node: number, key: string): Value =>
    node < nodeCount
      ? changed(changes.nodes.get(node), key, () => graph.nodeProperty(node, key))
      : (madeNode(node)?.properties.get(key) ?? null);
  const sought = (key: string, found: readonly number[] | undefined, fits: (value: Value) => boolean) => {
    if (found === undefined) return undefined;
    const added = [...changes.nodes].flatMap(([node, { properties, isReplaced }]) =>
      (properties.has(key) || isReplaced) && fits(nodeProperty(node, key)) ? [node] : [],
    );
    const made = changes.madeNodes.flatMap((_, place) =>
      fits(nodeProperty(nodeCount + place, key)) ? [nodeCount + place] : [],
    );
    const kept = found.filter((node) => fits(nodeProperty(node, key)));
    const all = new Set([...kept, ...added, ...made].filter((node) => !isGone(node)));
    return [...all].sort((a, b) => a - b);
  };
  return {
    ...graph,
    ...(columns && {
      ...{ nodeCount: columns.nodeCount, edgeCount: columns.edgeCount, out: columns.out, in: columns.in },
      edgeAtIn: (place: number) => columns.edgesIn[place],
      startOf(edge: number) {
        if (edge >= columns.edgeCount) throw new CypherError('value', 'a removed relationship has no ends');
        return columns.starts[edge];
      },
    }),
    label(name) {
      if (!labels.has(name)) labels.set(name, layeredLabel(graph, changes, name, hasLabel));
      return labels.get(name);
    },
    labelsOf(node) {
      if (node >= nodeCount) return [...(madeNode(node)?.labels ?? [])];
      const change = changes.nodes.get(node)?.labels;
      const own = graph.labelsOf(node);
      if (change === undefined) return own;
      const added = [...change].flatMap(([name, has]) => (has && !own.includes(name) ? [name] : []));
      return [...own.filter((name) => change.get(name) !== false), ...added];
    },
    types(name) {
      const own = columns?.types.get(name);
      return own === undefined ? graph.types(name) : [...graph.types(name), own];
    },
    typeName(type: number | undefined) {
      if (type === undefined) throw new CypherError('value', 'a removed relationship has no type');
      for (const [name, number] of columns?.types ?? []) if (number === type) return name;
      return graph.typeName(type);
    },
    labelNames: () =>
      new Set([
        ...graph.labelNames(),
        ...[...changes.nodes.values()].flatMap((change) =>
          [...change.labels].flatMap(([name, has]) => (has ? [name] : [])),
        ),
        ...changes.madeNodes.flatMap((node) => [...(node?.labels ?? [])]),
      ]),
    typeNames: () => [...graph.typeNames(), ...(columns?.types.keys() ?? [])],
    nodeProperty,
    edgeProperty(edge, key) {
      const origin = originOf(edge);
      if (origin >= graph.edgeCount) return madeEdge(origin)?.properties.get(key) ?? null;
      return changed(changes.edges.get(origin), key, () => graph.edgeProperty(origin, key));
    },
    nodeProperties(node) {
      if (node >= nodeCount) return Object.fromEntries(madeNode(node)?.properties ?? []);
      return merged(changes.nodes.get(node), () => graph.nodeProperties(node));
    },
    edgeProperties(edge) {
      const origin = originOf(edge);
      if (origin >= graph.edgeCount) return Object.fromEntries(madeEdge(origin)?.properties ?? []);
      return merged(changes.edges.get(origin), () => graph.edgeProperties(origin));
    },
    nodeId: (node) => (node < nodeCount ? graph.nodeId(node) : MADE_NODE_IDS + node - nodeCount),
    edgeId: originOf,
    nodeWithId(id) {
      const node = id >= MADE_NODE_IDS ? id - MADE_NODE_IDS + nodeCount : graph.nodeWithId(id);
      return node === undefined || !Number.isSafeInteger(node) || isGone(node) ? undefined : node;
    },
    ...(hasGone && { isHidden: isGone }),
    ...(graph.seek && {
      seek: (key: string, value: Value) =>
        sought(key, graph.seek?.(key, value), (own) => equals(own, value, FREE) === true),
    }),
    ...(graph.seekSuffix && {
      seekSuffix: (key: string, suffix: string) =>
        sought(
          key,
          graph.seekSuffix?.(key, suffix),
          (own) => typeof own === 'string' && own.endsWith(suffix),
        ),
    }),
  };
}

function merged(change: PartChange | undefined, ofGraph: () => ValueMap): ValueMap {
  if (change === undefined) return ofGraph();
  const all = new Map(change.isReplaced ? [] : Object.entries(ofGraph()));
  for (const [key, value] of change.properties)
    if (value === null) all.delete(key);
    else all.set(key, value);
  return Object.fromEntries(all);
}

function layeredLabel(
  graph: PropertyGraph,
  changes: GraphChanges,
  name: string,
  hasLabel: (node: number, name: string) => boolean,
): LabelSet | undefined {
  const ofGraph = graph.label(name);
  const has = (node: number): boolean => hasLabel(node, name);
  const added = [...changes.nodes]
    .flatMap(([node, { labels }]) =>
      labels.get(name) === true && has(node) && ofGraph?.has(node) !== true ? [node] : [],
    )
    .sort((a, b) => a - b);
  const made = changes.madeNodes.flatMap((_, place) =>
    has(graph.nodeCount + place) ? [graph.nodeCount + place] : [],
  );
  let lost = 0;
  const changedNodes = new Set([
    ...changes.removedNodes,
    ...[...changes.nodes].flatMap(([node, { labels }]) => (labels.get(name) === false ? [node] : [])),
  ]);
  for (const node of changedNodes) if (ofGraph?.has(node) === true && !has(node)) lost++;
  const size = (ofGraph?.size ?? 0) - lost + added.length + made.length;
  if (size === 0 && ofGraph === undefined) return undefined;
  return {
    size,
    has,
    every(visit) {
      let next = 0;
      const visitAdded = (before: number): boolean => {
        for (; next < added.length && added[next] < before; next++) if (!visit(added[next])) return false;
        return true;
      };
      const goesOn = ofGraph?.every((node) => visitAdded(node) && (!has(node) || visit(node))) ?? true;
      return goesOn && visitAdded(Number.POSITIVE_INFINITY) && made.every(visit);
    },
  };
}
