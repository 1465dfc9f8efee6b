/**
 * Writes the edges that analysis made back to the store, one set a start node, so that the graph in the database is
 * whole and a replica needs nothing else. Only sets that differ are written.
 */
import type { AttackGraph, EdgeProperties } from '@clew/graph';
import { Aspect, EdgeFlag, type Properties } from '@clew/model';
import { copyIn, createStaged, indexStaged, type StagedRows, stagedTable, storableJson } from '@clew/store';
import type pg from 'pg';

const STAGE_DERIVED = stagedTable('stage_derived', [
  ['owner_id', 'int4'],
  ['start_ids', 'int4Array'],
  ['kind_ids', 'int2Array'],
  ['end_ids', 'int4Array'],
  ['flags', 'int2Array'],
  ['properties', 'jsonb', 'nullable'],
]);

type Rows = StagedRows<typeof STAGE_DERIVED.columns>;

/**
 * @param graph the edges flagged `Derived` are those
 * @param client in a transaction
 * @param sourceId number of the analysis as a source
 */
export async function writeDerived(
  client: pg.ClientBase,
  graph: AttackGraph,
  properties: EdgeProperties,
  sourceId: number,
): Promise<void> {
  await createStaged(client, STAGE_DERIVED);
  await copyIn(client, STAGE_DERIVED, graph.nodeCount, (rows, node) =>
    writeSet(rows, graph, node, properties),
  );
  await indexStaged(client, STAGE_DERIVED, ['owner_id']);
  await client.query(DELETE_GONE, [sourceId]);
  await client.query(MERGE, [sourceId]);
}

const DELETE_GONE = `
delete from edge_set
where source_id = $1 and aspect = ${Aspect.derived}
  and not exists (select from stage_derived where stage_derived.owner_id = edge_set.owner_id)`;

const MERGE = `
merge into edge_set
using stage_derived made
on edge_set.owner_id = made.owner_id and edge_set.aspect = ${Aspect.derived} and edge_set.source_id = $1
when matched and (
  edge_set.start_ids <> made.start_ids or edge_set.kind_ids <> made.kind_ids or edge_set.end_ids <> made.end_ids
  or edge_set.flags <> made.flags or edge_set.properties is distinct from made.properties
) then update set
  start_ids = made.start_ids, kind_ids = made.kind_ids, end_ids = made.end_ids, flags = made.flags,
  properties = made.properties, collected_at = now()
when not matched then
  insert (owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, properties, first_seen, collected_at)
  values (made.owner_id, ${Aspect.derived}, $1, made.start_ids, made.kind_ids, made.end_ids, made.flags,
          made.properties, now(), now())`;

function writeSet(rows: Rows, graph: AttackGraph, node: number, properties: EdgeProperties): void {
  const { offsets, neighbours, kinds, flags } = graph.out;
  const edges: number[] = [];
  for (let edge = offsets[node]; edge < offsets[node + 1]; edge++) {
    if ((flags[edge] & EdgeFlag.Derived) !== 0) edges.push(edge);
  }
  if (edges.length === 0) return; // No row: nothing was derived from here.
  const own = graph.storeIds[node];
  const sparse: Record<string, Properties> = {};
  for (const [at, edge] of edges.entries()) {
    const some = properties.get(node, kinds[edge], neighbours[edge]);
    if (some !== undefined) sparse[at] = some;
  }
  rows
    .begin()
    .owner_id(own)
    .start_ids(edges.map(() => own))
    .kind_ids(edges.map((edge) => kinds[edge]))
    .end_ids(edges.map((edge) => graph.storeIds[neighbours[edge]]))
    .flags(edges.map((edge) => flags[edge]))
    .properties(Object.keys(sparse).length === 0 ? null : storableJson(sparse).json);
}
