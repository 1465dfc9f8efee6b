/**
 * Aging: facts that scheduled collectors have not seen for some days are removed from the graph and recorded.
 * Manual uploads do not age, because users decide when to repeat them. Facts that another source still sees are
 * kept. The latest description decides: an object that was uploaded manually and later seen by a schedule does
 * age.
 *
 * Edges age with their set, from the last time its aspect was enumerated (`merge/sightings.ts`): local groups age
 * if a collector runs without them for a week.
 *
 * Rows that a job is writing are skipped: they are locked during the job, and not stale. The next round checks
 * them again.
 */
import { EdgeKind } from '@clew/model';
import { AdvisoryLock, type Db } from '@clew/store';
import { sql } from 'kysely';

/** Days without a new sighting; 0 disables aging. */
export interface AgingLimits {
  readonly objectDays: number;
  /** Logon sessions change faster than other facts. */
  readonly sessionDays: number;
}

/** @param db a transaction @returns the number of removed nodes and edges */
export async function pruneStale(db: Db, limits: AgingLimits): Promise<number> {
  if (limits.objectDays === 0 && limits.sessionDays === 0) return 0;
  await sql`select pg_advisory_xact_lock(${AdvisoryLock.facts})`.execute(db);
  let gone = 0;
  if (limits.sessionDays > 0) gone += await pruneSamples(db, limits.sessionDays, '=');
  if (limits.objectDays > 0) {
    gone += await pruneSamples(db, limits.objectDays, '<>');
    await pruneWaiting(db, limits.objectDays);
    await findStale(db, limits.objectDays);
    await spareBusy(db);
    await spareNamed(db);
    gone += await pruneEdgeSets(db);
    gone += await pruneNodes(db);
    await sql`drop table stale_sighting, stale_set`.execute(db);
  }
  return gone;
}

/** The end of a statement that deletes edges: records them by source and kind. @returns their number */
const COUNT_GONE_EDGES = sql`
      returning source_id, kind_id
    ), counted as (
      insert into prune_record (pruned_at, source_id, what, kind, count)
      select now(), source_id, 'edge', edge_kind.name, count(*)
      from gone join edge_kind on edge_kind.id = kind_id group by source_id, edge_kind.name
    )
    select count(*) as count from gone`;

const limitOf = (days: number) => sql`now() - make_interval(days => ${days})`;

/** @param which operator that compares the kind with that of sessions; edges of OpenGraph data are samples, too */
async function pruneSamples(db: Db, days: number, which: '=' | '<>'): Promise<number> {
  return recorded(
    db,
    sql`
    with gone as (
      delete from sample_edge
      where ctid = any (array(
        select ctid from sample_edge
        where by_schedule and kind_id ${sql.raw(which)} ${EdgeKind.HasSession} and last_seen < ${limitOf(days)}
        for update skip locked
      ))
      ${COUNT_GONE_EDGES}`,
  );
}

/** Waiting edges are not in the graph yet, so deleting them does not change it. */
async function pruneWaiting(db: Db, days: number): Promise<void> {
  await recorded(
    db,
    sql`
    with gone as (
      delete from waiting_edge
      where ctid = any (array(
        select ctid from waiting_edge where by_schedule and last_seen < ${limitOf(days)} for update skip locked
      ))
      ${COUNT_GONE_EDGES}`,
  );
}

/** Finds stale sets. A set has the date of the owner's last description that enumerated it, or its own date. */
async function findStale(db: Db, days: number): Promise<void> {
  await sql`
    create temporary table stale_sighting on commit drop as
    select node_id, source_id from sighting where seen_by_schedule and last_seen < ${limitOf(days)}`.execute(
    db,
  );
  await sql`
    create temporary table stale_set on commit drop as
    select owner_id, aspect, edge_set.source_id
    from edge_set
    left join sighting on sighting.node_id = edge_set.owner_id and sighting.source_id = edge_set.source_id
    where case
      when aspect < 62 and sighting.aspects >> aspect & 1 = 1 and sighting.last_collected >= collected_at
        then collected_by_schedule and last_collected < ${limitOf(days)}
      else by_schedule and collected_at < ${limitOf(days)} end`.execute(db);
  await sql`analyze stale_sighting, stale_set`.execute(db);
}

/** Locks stale rows, and skips rows that are already locked. */
async function spareBusy(db: Db): Promise<void> {
  await sql`
    with free as (
      select owner_id, aspect, edge_set.source_id
      from edge_set join stale_set using (owner_id, aspect, source_id) for update of edge_set skip locked
    )
    delete from stale_set where (owner_id, aspect, source_id) not in (select owner_id, aspect, source_id from free)`.execute(
    db,
  );
  await sql`
    with free_node as (
      select id from node where id in (select node_id from stale_sighting) for update skip locked
    ), free_set as (
      select owner_id, aspect, source_id from edge_set
      where (owner_id, source_id) in (select node_id, source_id from stale_sighting) for update skip locked
    )
    delete from stale_sighting stale
    where node_id not in (select id from free_node) and exists (select from node where node.id = stale.node_id)
      or exists (
        select from edge_set held
        where held.owner_id = stale.node_id and held.source_id = stale.source_id
          and (held.owner_id, held.aspect, held.source_id) not in (select owner_id, aspect, source_id from free_set)
      )`.execute(db);
}

/**
 * A node is kept as long as an edge refers to it (a manually uploaded edge may refer to a node that a schedule no
 * longer sees). Its own edges are then kept as well, so the nodes that they refer to are checked again.
 */
async function spareNamed(db: Db): Promise<void> {
  for (let spared = -1n; spared !== 0n; ) {
    const { numAffectedRows } = await sql`
      delete from stale_sighting
      using (
        select stale.node_id, stale.source_id
        from edge_set
        cross join lateral unnest(start_ids || end_ids) as named (id)
        join stale_sighting stale on stale.node_id = named.id and stale.source_id = edge_set.source_id
        where not exists (
          select from stale_set
          where stale_set.owner_id = edge_set.owner_id and stale_set.aspect = edge_set.aspect
            and stale_set.source_id = edge_set.source_id
        ) and not exists (
          select from stale_sighting owner
          where owner.node_id = edge_set.owner_id and owner.source_id = edge_set.source_id
        )
        union
        select stale.node_id, stale.source_id
        from sample_edge
        join stale_sighting stale
          on stale.node_id in (start_id, end_id) and stale.source_id = sample_edge.source_id
      ) named
      where stale_sighting.node_id = named.node_id and stale_sighting.source_id = named.source_id`.execute(
      db,
    );
    spared = numAffectedRows ?? 0n;
  }
}

async function pruneEdgeSets(db: Db): Promise<number> {
  return recorded(
    db,
    sql`
    with gone as (
      delete from edge_set
      where (owner_id, aspect, source_id) in (select owner_id, aspect, source_id from stale_set)
        or (owner_id, source_id) in (select node_id, source_id from stale_sighting)
      returning owner_id, source_id, kind_ids
    ), forgotten as (
      delete from known_record where node_id in (select owner_id from gone)
    ), edge as (
      select source_id, unnest(kind_ids) as kind_id from gone
    ), counted as (
      insert into prune_record (pruned_at, source_id, what, kind, count)
      select now(), source_id, 'edge', edge_kind.name, count(*)
      from edge join edge_kind on edge_kind.id = kind_id group by source_id, edge_kind.name
    )
    select count(*) as count from edge`,
  );
}

/** A node is removed with its last sighting. */
async function pruneNodes(db: Db): Promise<number> {
  await sql`
    delete from sighting using stale_sighting stale
    where sighting.node_id = stale.node_id and sighting.source_id = stale.source_id`.execute(db);
  return recorded(
    db,
    sql`
    with gone as (
      delete from node
      where id in (select node_id from stale_sighting)
        and not exists (select from sighting where sighting.node_id = node.id)
      returning id, kinds
    ), forgotten as (
      delete from known_record where node_id in (select id from gone)
    ), counted as (
      insert into prune_record (pruned_at, source_id, what, kind, count)
      select now(), source_id, 'node', node_kind.name, count(*)
      from gone
      join stale_sighting on stale_sighting.node_id = gone.id
      join node_kind on node_kind.id = any (kinds)
      group by source_id, node_kind.name
    )
    select count(*) as count from gone`,
  );
}

async function recorded(db: Db, statement: ReturnType<typeof sql<{ count: number }>>): Promise<number> {
  const { rows } = await statement.execute(db);
  return Number(rows[0].count);
}
