/** Facts that rules and findings read besides the graph of a generation, loaded from the store. */

import { AnalysisContext, type AnalysisOptions, type EdgePropertyReads } from '@clew/analysis';
import {
  type AttackGraph,
  type Cancel,
  EdgeProperties,
  findNodeByStoreId,
  type JsonObject,
  NO_NODE,
  NodeProperties,
  objectIdOf,
} from '@clew/graph';
import { Aspect, EdgeKind } from '@clew/model';
import { addPolicyUnit, POLICY_UNITS } from '@clew/planning';
import { copyOut } from '@clew/store';
import type pg from 'pg';

async function loadNodeProperties(
  client: pg.ClientBase,
  graph: AttackGraph,
  keys: readonly string[],
): Promise<NodeProperties> {
  const properties = new NodeProperties(graph.nodeCount);
  const query = "select id, properties from node where deleted_at is null and properties <> '{}'";
  await copyOut(client, query, (row) => {
    const node = findNodeByStoreId(graph, row.int4(0));
    if (node === NO_NODE) return;
    const all = row.json(1) as JsonObject;
    for (const key of keys) if (key in all) properties.set(key, node, all[key]);
  });
  return properties;
}

/** Loads the properties of collected edges of these kinds. @param known all except the units of policies, if read before */
async function loadEdgeProperties(
  client: pg.ClientBase,
  graph: AttackGraph,
  reads: EdgePropertyReads,
  known: EdgeProperties | undefined,
): Promise<EdgeProperties> {
  const properties = known ?? (await readEdgeProperties(client, graph, reads));
  if (reads.keys.includes(POLICY_UNITS)) await loadPolicyUnits(client, graph, properties);
  return properties;
}

async function readEdgeProperties(
  client: pg.ClientBase,
  graph: AttackGraph,
  { keys, kinds }: EdgePropertyReads,
): Promise<EdgeProperties> {
  const properties = new EdgeProperties();
  const wanted = `array[${[...kinds].join()}]::smallint[]`;
  const query = `select start_ids[place], kind_ids[place]::integer, end_ids[place], values
    from edge_set, lateral (select (entry.key::integer + 1) as place, entry.value as values
      from jsonb_each(properties) entry) entries
    where kind_ids && ${wanted} and properties is not null and kind_ids[place] = any (${wanted})`;
  await copyOut(client, query, (row) => {
    const [start, end] = [findNodeByStoreId(graph, row.int4(0)), findNodeByStoreId(graph, row.int4(2))];
    if (start === NO_NODE || end === NO_NODE) return;
    const all = row.json(3) as JsonObject;
    const some = Object.fromEntries(keys.filter((key) => key in all).map((key) => [key, all[key]]));
    if (Object.keys(some).length > 0) properties.merge(start, row.int4(1), end, some);
  });
  return properties;
}

/** The units whose policies set memberships in local groups: the owners of those edges. */
async function loadPolicyUnits(
  client: pg.ClientBase,
  graph: AttackGraph,
  properties: EdgeProperties,
): Promise<void> {
  const kind = EdgeKind.MemberOfLocalGroup;
  const query = `select owner_id, start_ids, kind_ids, end_ids from edge_set
    where aspect = ${Aspect['gpo-changes']} and kind_ids && array[${kind}]::smallint[] order by owner_id, source_id`;
  await copyOut(client, query, (row) => {
    const unit = findNodeByStoreId(graph, row.int4(0));
    if (unit === NO_NODE) return;
    const unitId = objectIdOf(graph, unit);
    const [starts, kinds, ends]: number[][] = [[], [], []];
    row.int4Array(1, starts, 0);
    row.int2Array(2, kinds, 0);
    row.int4Array(3, ends, 0);
    for (const [at, storeId] of starts.entries()) {
      if (kinds[at] !== kind) continue;
      const [start, end] = [findNodeByStoreId(graph, storeId), findNodeByStoreId(graph, ends[at])];
      if (start !== NO_NODE && end !== NO_NODE) addPolicyUnit(properties, start, end, unitId);
    }
  });
}

export interface KnownProperties {
  readonly ofNodes: NodeProperties;
  /** Without the units of policies. */
  readonly ofEdges: EdgeProperties;
}

export interface FactsRequest {
  readonly nodeProperties: readonly string[];
  readonly edgeProperties?: EdgePropertyReads;
  /** Set if they were read before. */
  readonly known?: KnownProperties | undefined;
  readonly options: AnalysisOptions;
  readonly cancelNow?: () => Cancel | undefined;
}

/** @param graph graph of a generation, with its derived edges */
export async function loadFacts(
  client: pg.ClientBase,
  graph: AttackGraph,
  { nodeProperties, edgeProperties, known, options, cancelNow }: FactsRequest,
): Promise<AnalysisContext> {
  return new AnalysisContext({
    graph,
    properties: known?.ofNodes ?? (await loadNodeProperties(client, graph, nodeProperties)),
    edgeProperties:
      edgeProperties === undefined
        ? new EdgeProperties()
        : await loadEdgeProperties(client, graph, edgeProperties, known?.ofEdges),
    options,
    cancelNow,
  });
}
