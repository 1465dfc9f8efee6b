/**
 * Loads the graph of a generation from the store, in one snapshot: nodes in the order of their object ids, edges of
 * all sets and samples, and further values that a generation or an analysis needs.
 */

import { GraphBuilder, type JsonObject, NodeProperties } from '@clew/graph';
import { readDeclaredKinds } from '@clew/intake';
import { FIRST_CUSTOM_KIND, UNANIMOUS_FLAGS } from '@clew/model';
import { copyOut } from '@clew/store';
import type pg from 'pg';
import type { KnownFacts, KnownRows } from './known/knownRows.ts';
import { loadChange } from './loadChange.ts';
import {
  addKnownEdges,
  loadEdges,
  propertiesOfKnownEdges,
  readSamples,
  readSets,
  setsOf,
} from './loadEdges.ts';
import type { LoadedGraph } from './loadedGraph.ts';
import {
  BUILT_IN_ENVIRONMENTS,
  type LoadedNodes,
  NOT_DELETED,
  type NodeKinds,
  readNodes,
} from './loadNodes.ts';
import type { LoadOptions } from './loadOptions.ts';

/** @param client in a repeatable-read transaction, so that all parts are consistent */
export async function loadGraph(client: pg.ClientBase, options: LoadOptions): Promise<LoadedGraph> {
  const customNodeKinds = await customKinds(client, 'node_kind');
  const customEdgeKinds = await customKinds(client, 'edge_kind');
  const kinds = { customNodeKinds, customEdgeKinds };
  const kindNumbers = new Map([...customNodeKinds].map(([id, name]) => [name, id]));
  const edgeNumbers = new Map([...customEdgeKinds].map(([id, name]) => [name, id]));
  const declared = await readDeclaredKinds(client, { nodes: kindNumbers, edges: edgeNumbers });
  const nodeKinds: NodeKinds = {
    numbers: kindNumbers,
    environments: new Map([
      ...BUILT_IN_ENVIRONMENTS,
      ...declared.environments.map(({ kind, name }) => [kind, name] as const),
    ]),
  };
  const { known, derived } = options;
  const written = await known?.begin(client, recipeOf(options, nodeKinds), setsOf(derived), options.beside);
  if (known !== undefined && written !== undefined) {
    const loaded = await loadChange(client, { ...options, known }, nodeKinds, written);
    if (loaded !== undefined) return { ...loaded, graph: { ...loaded.graph, declared }, ...kinds };
    known.clear();
  }
  const builder = new GraphBuilder({ unanimousFlags: UNANIMOUS_FLAGS });
  const { nodes, nodeProperties, edgeProperties } =
    known === undefined
      ? await readAndPlace(client, builder, nodeKinds, options)
      : await readAndKeep(client, builder, nodeKinds, { ...options, known });
  const graph = { ...builder.build(), declared };
  const facts = { graph, nodes, nodeProperties, edgeProperties, moreEdges: options.moreEdges ?? [] };
  return {
    graph,
    environments: nodes.environments,
    marks: nodes.marks(),
    counter: nodes.counter,
    nodeProperties,
    edgeProperties,
    ...kinds,
    load: known?.finish(facts) ?? 0,
  };
}

type Read = Pick<KnownFacts, 'nodes' | 'nodeProperties' | 'edgeProperties'>;

/** Edges enter the graph as they arrive, after the nodes. */
async function readAndPlace(
  client: pg.ClientBase,
  builder: GraphBuilder,
  nodeKinds: NodeKinds,
  options: LoadOptions,
): Promise<Read> {
  const nodes = await readNodes(client, builder, nodeKinds, undefined, options.signal);
  const nodeProperties = await loadNodeProperties(client, nodes, options);
  return { nodes, nodeProperties, edgeProperties: await loadEdges(client, builder, nodes, options) };
}

/** The rows of edges are kept anyway, so they are read in parallel with the nodes and added to the graph afterward. */
async function readAndKeep(
  client: pg.ClientBase,
  builder: GraphBuilder,
  nodeKinds: NodeKinds,
  options: LoadOptions & { readonly known: KnownRows },
): Promise<Read> {
  const { known, derived, beside = client } = options;
  const readNodesWhole = async () => {
    const nodes = await readNodes(client, builder, nodeKinds, known.nodes, options.signal);
    return { nodes, nodeProperties: await loadNodeProperties(client, nodes, options) };
  };
  const readEdgesWhole = async () => {
    known.sets = await readSets(beside, setsOf(derived), options);
    known.samples = await readSamples(beside, options);
  };
  const [{ nodes, nodeProperties }] = await Promise.all([readNodesWhole(), readEdgesWhole()]);
  addKnownEdges(builder, nodes, known, options);
  return { nodes, nodeProperties, edgeProperties: propertiesOfKnownEdges(known, nodes.nodeOf) };
}

/** Identifies the parts of each row that are read, and how. */
function recipeOf(
  { derived, nodeProperties = [], edgeProperties }: LoadOptions,
  { numbers, environments }: NodeKinds,
): string {
  const ofEdges = edgeProperties && [[...edgeProperties.keys].sort(), [...edgeProperties.kinds].sort()];
  return JSON.stringify([
    derived,
    [...nodeProperties].sort(),
    ofEdges,
    [...numbers].sort(),
    [...environments].sort(),
  ]);
}

async function loadNodeProperties(
  client: pg.ClientBase,
  nodes: LoadedNodes,
  { nodeProperties: keys = [], signal }: LoadOptions,
): Promise<NodeProperties> {
  const properties = new NodeProperties(nodes.count);
  if (keys.length === 0) return properties;
  const wanted = new Set(keys);
  await copyOut(
    client,
    `select id, properties from node where ${NOT_DELETED} and properties <> '{}'`,
    (row) => {
      const node = nodes.nodeOf[row.int4(0)];
      const all = row.json(1) as JsonObject;
      for (const key of Object.keys(all)) if (wanted.has(key)) properties.add(key, node, all[key]);
    },
    signal,
  );
  return properties;
}

async function customKinds(
  client: pg.ClientBase,
  table: 'node_kind' | 'edge_kind',
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ id: number; name: string }>(
    `select id, name from ${table} where id >= ${FIRST_CUSTOM_KIND}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
