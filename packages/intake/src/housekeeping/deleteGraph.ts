/**
 * Deletes parts of the graph from the store. Rows are deleted, never truncated, so a concurrent transaction that
 * loads a graph still sees its own snapshot. Numbers of object ids, kinds and sources are kept, because workers
 * cache them.
 *
 * Facts of a source are deleted through its sightings and its edge sets. A node that another source also saw is
 * kept, with its facts: node properties are not stored per source, so only properties that certainly belong to the
 * deleted source are removed from it.
 */
import { FIRST_CUSTOM_KIND } from '@clew/model';
import { AdvisoryLock, type DatabaseLog, wakeOn } from '@clew/store';
import type pg from 'pg';

interface Request {
  readonly id: number;
  readonly all_graph: boolean;
  readonly sourceless_graph: boolean;
  readonly source_kinds: readonly string[];
  readonly relationships: readonly string[];
}

/** Executes waiting deletions, all in one transaction. @param client holds the ingest lock, outside a transaction */
export async function carryOutDeletions(client: pg.ClientBase, log: DatabaseLog): Promise<void> {
  const { rowCount } = await client.query('select from deletion_request limit 1');
  if (rowCount === 0) return;
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.facts]);
    const { rows } = await client.query<Request>('select * from deletion_request order by id for update');
    for (const request of rows) await carryOut(client, request);
    // Deleted facts must be restored when a record that contains them is uploaded again.
    await client.query('delete from known_record');
    await client.query('delete from deletion_request where id = any ($1)', [rows.map(({ id }) => id)]);
    await client.query('update facts_state set version = version + 1, data_version = version + 1');
    await wakeOn(client, 'build');
    await client.query('commit');
    log.info({ requests: rows.length }, 'deleted parts of the graph');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function carryOut(client: pg.ClientBase, request: Request): Promise<void> {
  if (request.all_graph) await deleteAll(client);
  if (request.sourceless_graph || request.source_kinds.length > 0) {
    await deleteSources(client, request.source_kinds, request.sourceless_graph);
  }
  if (request.relationships.length > 0) await deleteRelationships(client, request.relationships);
}

async function deleteAll(client: pg.ClientBase): Promise<void> {
  for (const table of [
    'node',
    'sighting',
    'edge_set',
    'sample_edge',
    'waiting_edge',
    'observation',
    'custom_check_offender',
    'directory_reading',
  ]) {
    await client.query(`delete from ${table}`);
  }
  await client.query('delete from source_kind where id > 2');
}

async function deleteSources(
  client: pg.ClientBase,
  kinds: readonly string[],
  sourceless: boolean,
): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `select id from source
     where source_kind = any ($1) or $2 and source_kind is null and name not in ('analysis', 'definitions')`,
    [kinds, sourceless],
  );
  const sources = [rows.map(({ id }) => id)];
  await client.query('create temporary table touched (node_id integer not null) on commit drop');
  await client.query(
    `with gone as (delete from sighting where source_id = any ($1) returning node_id)
     insert into touched select distinct node_id from gone`,
    sources,
  );
  await client.query('analyze touched');
  await client.query('delete from edge_set where source_id = any ($1)', sources);
  await client.query('delete from sample_edge where source_id = any ($1)', sources);
  await client.query('delete from waiting_edge where source_id = any ($1)', sources);
  await client.query(
    `delete from node using touched
     where node.id = touched.node_id and not exists (select from sighting where sighting.node_id = node.id)`,
  );
  await client.query(TAKE_KINDS, [kinds]);
  await client.query('drop table touched');
  // The same files may be uploaded again, with a new observation time.
  await client.query('delete from observation');
  await client.query('delete from source_kind where id > 2 and name = any ($1)', [kinds]);
}

/**
 * Removes the source kinds (except built-in ones) from nodes that are kept. If only collectors still describe a
 * node, removes all kinds that are not built in, because collectors do not set others.
 */
const TAKE_KINDS = `
update node set kinds = kept.kinds
from (
  select node.id, array(
    select kind from unnest(node.kinds) as kind
    where kind < ${FIRST_CUSTOM_KIND} or not reported.by_collectors_only
      and kind not in (select node_kind.id from node_kind where node_kind.name = any ($1))
    order by kind
  ) as kinds
  from touched
  join node on node.id = touched.node_id
  join lateral (
    select bool_and(source.name in ('sharphound', 'azurehound')) as by_collectors_only
    from sighting join source on source.id = sighting.source_id where sighting.node_id = node.id
  ) reported on true
) kept
where node.id = kept.id and node.kinds <> kept.kinds`;

async function deleteRelationships(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ id: number }>('select id from edge_kind where name = any ($1)', [
    names,
  ]);
  const kinds = [rows.map(({ id }) => id)];
  await client.query('delete from edge_set where kind_ids <@ $1::smallint[]', kinds);
  await client.query(TAKE_EDGES, kinds);
  await client.query('delete from sample_edge where kind_id = any ($1)', kinds);
  await client.query('delete from waiting_edge where kind_id = any ($1)', kinds);
}

/** Edge properties are keyed by edge index, so the indexes are recomputed. */
const TAKE_EDGES = `
update edge_set
set (start_ids, kind_ids, end_ids, flags, properties) = (
  select array_agg(start_id order by place), array_agg(kind_id order by place), array_agg(end_id order by place),
         array_agg(flag order by place), jsonb_object_agg(place::text, reported) filter (where reported is not null)
  from (
    select start_id, kind_id, end_id, flag, edge_set.properties -> (old_place - 1)::text as reported,
           row_number() over (order by old_place) - 1 as place
    from unnest(edge_set.start_ids, edge_set.kind_ids, edge_set.end_ids, edge_set.flags) with ordinality
      as edges (start_id, kind_id, end_id, flag, old_place)
    where kind_id <> all ($1::smallint[])
  ) kept
)
where kind_ids && $1::smallint[]`;
