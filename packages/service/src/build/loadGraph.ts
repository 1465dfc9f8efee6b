/**
 * Loads the graph of a generation out of the store, in one snapshot: nodes in the order of their object ids, edges of
 * all sets and samples, and what else a generation or an analysis wants to know of them.
 */

import { GraphBuilder, type JsonObject, NodeProperties } from '@clew/graph';
import { FIRST_CUSTOM_KIND } from '@clew/model';
import { copyOut } from '@clew/store';
import type pg from 'pg';
import { UNANIMOUS_FLAGS } from './edgeFlags.ts';
import { loadChange } from './loadChange.ts';
import { loadEdges, setsOf } from './loadEdges.ts';
import type { LoadedGraph } from './loadedGraph.ts';
import { type LoadedNodes, NOT_DELETED, readNodes } from './loadNodes.ts';
import type { LoadOptions } from './loadOptions.ts';

/** @param client in a repeatable-read transaction, so that all parts are of one moment */
export async function loadGraph(client: pg.ClientBase, options: LoadOptions): Promise<LoadedGraph> {
  const customNodeKinds = await customKinds(client, 'node_kind');
  const customEdgeKinds = await customKinds(client, 'edge_kind');
  const kinds = { customNodeKinds, customEdgeKinds };
  const kindNumbers = new Map([...customNodeKinds].map(([id, name]) => [name, id]));
  const { known, derived } = options;
  const written = await known?.begin(client, recipeOf(options, kindNumbers), setsOf(derived), options.beside);
  if (known !== undefined && written !== undefined) {
    const loaded = await loadChange(client, { ...options, known }, kindNumbers, written);
    if (loaded !== undefined) return { ...loaded, ...kinds };
    known.clear();
  }
  const builder = new GraphBuilder({ unanimousFlags: UNANIMOUS_FLAGS });
  const nodes = await readNodes(client, builder, kindNumbers, known?.nodes, options.signal);
  const nodeProperties = await loadNodeProperties(client, nodes, options);
  const edgeProperties = await loadEdges(client, builder, nodes, options);
  const graph = builder.build();
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

/** What is read of each row, and how. */
function recipeOf(
  { derived, nodeProperties = [], edgeProperties }: LoadOptions,
  kindNumbers: ReadonlyMap<string, number>,
): string {
  const ofEdges = edgeProperties && [[...edgeProperties.keys].sort(), [...edgeProperties.kinds].sort()];
  return JSON.stringify([derived, [...nodeProperties].sort(), ofEdges, [...kindNumbers].sort()]);
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
      for (const key of Object.keys(all)) if (wanted.has(key)) properties.set(key, node, all[key]);
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
