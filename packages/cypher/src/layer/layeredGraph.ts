/** A graph as the owner of a layer sees it. */
import { CypherError } from '../cypherError.ts';
import type { LabelSet, PropertyGraph } from '../graph/propertyGraph.ts';
import type { Spends } from '../run/budget.ts';
import { equals } from '../values/compare.ts';
import type { Value, ValueMap } from '../values/values.ts';
import type { GraphChanges, PartChange } from './graphChanges.ts';
import type { LayeredColumns } from './layeredColumns.ts';

/** Ids of nodes that a layer makes begin here: those of the graph are lower. */
export const MADE_NODE_IDS = 2 ** 31;

const FREE: Spends = { spend: () => {} };

/** @param columns of the layer; `undefined` if it makes and removes nothing @param budget of the query that uses the graph */
export function layeredGraph(
  graph: PropertyGraph,
  changes: GraphChanges,
  columns: LayeredColumns | undefined,
  budget: Spends = FREE,
): PropertyGraph {
  const { nodeCount } = graph;
  const { removedNodes } = changes;
  budget.spend(changes.madeNodes.length);
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
  const valuesOf = changedValues(changes, nodeCount, budget);
  const sought = (
    key: string,
    found: readonly number[] | undefined,
    { isExact, fits }: { readonly isExact?: Value; readonly fits: (value: Value) => boolean },
  ) => {
    if (found === undefined) return undefined;
    const changedNodes = valuesOf(key).nodesWith(isExact);
    budget.spend(1 + found.length + changedNodes.length);
    const fitting = [...found, ...changedNodes].filter(
      (node) => !isGone(node) && fits(nodeProperty(node, key)),
    );
    return [...new Set(fitting)].sort((a, b) => a - b);
  };
  const namesOfTypes = new Map([...(columns?.types ?? [])].map(([name, number]) => [number, name]));
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
      if (!labels.has(name)) labels.set(name, layeredLabel(graph, changes, name, hasLabel, budget));
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
      return namesOfTypes.get(type) ?? graph.typeName(type);
    },
    labelNames() {
      budget.spend(changes.nodes.size + changes.madeNodes.length);
      return new Set([
        ...graph.labelNames(),
        ...[...changes.nodes.values()].flatMap((change) =>
          [...change.labels].flatMap(([name, has]) => (has ? [name] : [])),
        ),
        ...changes.madeNodes.flatMap((node) => [...(node?.labels ?? [])]),
      ]);
    },
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
        sought(key, graph.seek?.(key, value), {
          isExact: value,
          fits: (own) => equals(own, value, FREE) === true,
        }),
    }),
    ...(graph.seekSuffix && {
      seekSuffix: (key: string, suffix: string) =>
        sought(key, graph.seekSuffix?.(key, suffix), {
          fits: (own) => typeof own === 'string' && own.endsWith(suffix),
        }),
    }),
    spending: (own) => layeredGraph(graph, changes, columns, own),
  };
}

/** The nodes with a value that a layer sets, by key. */
function changedValues(changes: GraphChanges, nodeCount: number, budget: Spends) {
  const byKey = new Map<string, ChangedValues>();
  return (key: string): ChangedValues => {
    const known = byKey.get(key);
    if (known?.revision === changes.revision) return known;
    const values = new ChangedValues(changes.revision);
    budget.spend(changes.nodes.size + changes.madeNodes.length);
    for (const [node, { properties }] of changes.nodes) values.add(node, properties.get(key));
    for (const [place, made] of changes.madeNodes.entries())
      values.add(nodeCount + place, made?.properties.get(key));
    byKey.set(key, values);
    return values;
  };
}

class ChangedValues {
  readonly revision: number;
  readonly #all: number[] = [];
  readonly #byText = new Map<string, number[]>();

  constructor(revision: number) {
    this.revision = revision;
  }

  add(node: number, value: Value | undefined): void {
    if (value === undefined || value === null) return;
    this.#all.push(node);
    if (typeof value !== 'string') return;
    const same = this.#byText.get(value);
    if (same === undefined) this.#byText.set(value, [node]);
    else same.push(node);
  }

  /** @param value default: any @returns at least the nodes with the value */
  nodesWith(value?: Value): readonly number[] {
    return typeof value === 'string' ? (this.#byText.get(value) ?? []) : this.#all;
  }
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
  budget: Spends,
): LabelSet | undefined {
  budget.spend(changes.nodes.size + changes.removedNodes.size + changes.madeNodes.length);
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
      const visitKept = (node: number): boolean => {
        if (has(node)) return visit(node);
        // The visitor counts the others.
        budget.spend(1);
        return true;
      };
      const goesOn = ofGraph?.every((node) => visitAdded(node) && visitKept(node)) ?? true;
      return goesOn && visitAdded(Number.POSITIVE_INFINITY) && made.every(visit);
    },
  };
}
