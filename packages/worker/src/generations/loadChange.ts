/**
 * Loads the graph of a generation from the rows written since the previous load, by applying the changes to the nodes,
 * edges and properties of that load. Most of the time goes into finding the written rows and copying the graph.
 *
 * The result equals that of a full load; `incremental.slow.test.ts` compares both.
 */
import {
  type AttackGraph,
  type EdgeProperties,
  GraphBuilder,
  type JsonObject,
  NO_NODE,
  type NodeProperties,
  patchEdges,
  withNodes,
} from '@clew/graph';
import { copyOut } from '@clew/store';
import type pg from 'pg';
import { ChangedEdges, type EdgesNow } from './known/changedEdges.ts';
import type { KnownFacts, KnownRows, Written } from './known/knownRows.ts';
import { KnownSets } from './known/knownSets.ts';
import { goneSets, propertiesOfKnownEdges, readSamples, readSets, setsOf } from './loadEdges.ts';
import type { LoadChange, LoadedGraph } from './loadedGraph.ts';
import {
  type LoadedNodes,
  NOT_DELETED,
  type NodeKinds,
  readChangedNodes,
  readKnownNodes,
} from './loadNodes.ts';
import type { LoadOptions } from './loadOptions.ts';
import type { StoreEdge } from './storeEdge.ts';

type KnownOptions = LoadOptions & { readonly known: KnownRows };

type Loaded = Omit<LoadedGraph, 'customNodeKinds' | 'customEdgeKinds'>;

/** @returns `undefined` if the changes do not lead to the state of the store; then all rows have to be read */
export async function loadChange(
  client: pg.ClientBase,
  options: KnownOptions,
  nodeKinds: NodeKinds,
  written: Written,
): Promise<Loaded | undefined> {
  const { known, moreEdges = [] } = options;
  const before = known.facts;
  if (before === undefined) return undefined;
  const since = known.loads;
  const changed = await changeNodes(client, options, nodeKinds, written, before);
  if (changed === undefined) return undefined;
  const { nodes, columns, numberOf, storeIds } = changed;
  const properties = await changeProperties(client, options, written, before, changed);
  const edges = await changeEdgeSources(client, options, written, before, nodes);
  if (edges === undefined) return undefined;
  const moved = numberOf === undefined ? columns : withNodes(before.graph, columns, numberOf);
  const graph = patchEdges(moved, edges.patch);
  const edgeProperties =
    numberOf === undefined ? before.edgeProperties : propertiesOfKnownEdges(known, nodes.nodeOf);
  const change: LoadChange = {
    since,
    ...(numberOf !== undefined && { numberOf }),
    nodesBefore: storeIds.map((id) => before.nodes.nodeOf[id] ?? NO_NODE).filter((node) => node !== NO_NODE),
    nodes: storeIds.map((id) => nodes.nodeOf[id] ?? NO_NODE).filter((node) => node !== NO_NODE),
    nodeRows: written.nodes,
    keys: properties.keys,
    edges: edges.patch,
    edgeProperties: replaceProperties(edgeProperties, edges),
    otherSetCount: written.otherSetCount,
  };
  const facts = { graph, nodes, nodeProperties: properties.values, edgeProperties, moreEdges };
  return {
    graph,
    environments: nodes.environments,
    marks: nodes.marks(),
    counter: nodes.counter,
    nodeProperties: properties.values,
    edgeProperties,
    load: known.finish(facts),
    change,
  };
}

interface ChangedNodes {
  readonly nodes: LoadedNodes;
  /** The current nodes; with the edges of the previous graph if no node was added or removed. */
  readonly columns: AttackGraph;
  readonly numberOf: Uint32Array | undefined;
  /** Store ids of the changed nodes. */
  readonly storeIds: readonly number[];
}

async function changeNodes(
  client: pg.ClientBase,
  { known, signal }: KnownOptions,
  nodeKinds: NodeKinds,
  written: Written,
  before: KnownFacts,
): Promise<ChangedNodes | undefined> {
  const changes =
    written.nodes === 0 ? [] : await readChangedNodes(client, written.whichNodes, nodeKinds, signal);
  const { nodeOf } = before.nodes;
  const { kind, storeIds } = known.nodes.change(changes, (storeId) => nodeOf[storeId] ?? NO_NODE);
  if (known.nodes.count !== written.nodeCount) return undefined;
  if (kind === 'none') return { nodes: before.nodes, columns: before.graph, numberOf: undefined, storeIds };
  const builder = new GraphBuilder();
  const nodes = readKnownNodes(builder, nodeKinds, known.nodes);
  const columns = builder.build();
  const { edgeCount, out, in: back } = before.graph;
  if (kind === 'rows')
    return { nodes, columns: { ...columns, edgeCount, out, in: back }, numberOf: undefined, storeIds };
  return { nodes, columns, numberOf: numbersNow(before.graph, nodes), storeIds };
}

/** @returns the number of each node in another graph, NO_NODE if it is missing there */
function numbersNow({ storeIds }: AttackGraph, { nodeOf }: LoadedNodes): Uint32Array {
  return storeIds.map((storeId) => nodeOf[storeId] ?? NO_NODE);
}

async function changeProperties(
  client: pg.ClientBase,
  { nodeProperties: keys = [], signal }: KnownOptions,
  written: Written,
  before: KnownFacts,
  { nodes, numberOf }: ChangedNodes,
): Promise<{ readonly values: NodeProperties; readonly keys: ReadonlySet<string> }> {
  const values =
    numberOf === undefined
      ? before.nodeProperties.fork()
      : before.nodeProperties.renumbered(nodes.count, numberOf);
  const changed = new Set<string>();
  if (keys.length === 0 || written.nodes === 0) return { values, keys: changed };
  const wanted = new Set(keys);
  await copyOut(
    client,
    `select id, properties from node where ${NOT_DELETED} and ${written.whichNodes}`,
    (row) => {
      const node = nodes.nodeOf[row.int4(0)];
      const all = row.json(1) as JsonObject;
      const some = Object.fromEntries(Object.entries(all).filter(([key]) => wanted.has(key)));
      for (const key of values.replace(node, some)) changed.add(key);
    },
    signal,
  );
  return { values, keys: changed };
}

async function changeEdgeSources(
  client: pg.ClientBase,
  options: KnownOptions,
  written: Written,
  before: KnownFacts,
  nodes: LoadedNodes,
): Promise<EdgesNow | undefined> {
  const { known, derived, moreEdges = [], beside = client, signal } = options;
  const { nodeOf } = nodes;
  const changed = new ChangedEdges(Math.max(nodeOf.length, before.nodes.nodeOf.length));
  const note = changed.note.bind(changed);
  const [sets, samples] = await Promise.all([
    readSets(client, written.whichSets, options),
    readSamples(beside, options),
  ]);
  known.sets.update(written.goneSets, sets, note);
  if (known.sets.count !== written.setCount) {
    known.sets.update(await goneSets(client, known.sets, setsOf(derived), signal), new KnownSets(), note);
    if (known.sets.count !== written.setCount) return undefined;
  }
  known.samples.visitDifference(samples, note);
  known.samples = samples;
  for (const { startId, kind, endId } of [...before.moreEdges, ...moreEdges]) note(startId, kind, endId);
  for (const storeId of shownNow(before.nodes, nodes)) changed.noteNode(storeId);
  changed.take(known.sets.edges, (edge) => known.sets.propertiesAt(edge));
  known.samples.forEachChunk((chunk, first) => {
    changed.take(chunk, (edge) => known.samples.propertiesAt(first + edge));
  });
  changed.take(columnsOf(moreEdges));
  return changed.finish(nodeOf, nodes.powerless);
}

/**
 * @returns store ids of nodes whose edges are omitted now but were not before, or the reverse: new nodes, and vaults with a changed access
 * model
 */
function shownNow(before: LoadedNodes, after: LoadedNodes): Set<number> {
  const found = new Set<number>();
  if (before === after) return found;
  for (const [storeId, node] of after.nodeOf.entries())
    if (node !== NO_NODE && (before.nodeOf[storeId] ?? NO_NODE) === NO_NODE) found.add(storeId);
  const [old, now] = [new Set(before.roleBasedVaults), new Set(after.roleBasedVaults)];
  for (const vault of [...old, ...now]) if (old.has(vault) !== now.has(vault)) found.add(vault);
  return found;
}

const columnsOf = (edges: readonly StoreEdge[]) => ({
  starts: Uint32Array.from(edges, ({ startId }) => startId),
  kinds: Uint16Array.from(edges, ({ kind }) => kind),
  ends: Uint32Array.from(edges, ({ endId }) => endId),
  flags: Uint8Array.from(edges, ({ flags }) => flags),
});

/** @returns kinds of edges with changed properties */
function replaceProperties(values: EdgeProperties, { patch, properties }: EdgesNow): Set<number> {
  const kinds = new Set<number>();
  for (const [at, some] of properties.entries()) {
    const [start, kind, end] = [patch.starts[at], patch.kinds[at], patch.ends[at]];
    if (JSON.stringify(values.get(start, kind, end)) !== JSON.stringify(some)) kinds.add(kind);
    values.replace(start, kind, end, some);
  }
  return kinds;
}
