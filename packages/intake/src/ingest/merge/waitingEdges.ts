/**
 * Edges whose end is identified by properties that no object has yet. A later file or job may contain it, so they
 * are stored (`waiting_edge`), and age like other facts of their source. When a matching object arrives, they are
 * matched again, among all objects. If several objects match, the edge is ambiguous, and waits until it is
 * collected again.
 */
import type { MergeSession } from './statement.ts';

/** Limit for all sources together: about 100 MB. */
export const MAX_WAITING_EDGES = 200_000;
/** Maximum bytes of one edge, its properties and the properties of its ends. */
const MAX_WAITING_BYTES = 16_384;

/** SQL for the key of an edge; `at` is the alias of its table. */
const KEY = (at: string): string => `md5(concat(
  ${at}.source_id, ' ', ${at}.aspect, ' ', ${at}.kind_id, ' ',
  ${at}.start_id, ' ', ${at}.start_matcher, ' ', ${at}.end_id, ' ', ${at}.end_matcher))::uuid`;

/**
 * Restores waiting edges that may match an object of this job, as if the job contained them. They have negative
 * origins of their own, so they keep their source and date.
 * @param maxKeys maximum number of property names to look up
 */
export async function wakeWaitingEdges(session: MergeSession, maxKeys: number): Promise<void> {
  await session.run(FORGET_REPLACED);
  const keys = await session.query<{ key: string }>(
    `select distinct matcher #>> '{matchers,0,key}' as key from (${ENDS}) ends order by key limit ${maxKeys}`,
  );
  if (keys.length === 0) return;
  await session.run('create temporary table stage_awake (id bigint not null) on commit drop');
  for (const { key } of keys) await session.run(key === 'objectid' ? BY_OBJECT_ID : BY_PROPERTY, [key]);
  await session.run(WAKE_ORIGINS);
  await session.run(WAKE);
}

/** The job enumerates their aspect again, so edges that still exist are in the job. */
const FORGET_REPLACED = `
delete from waiting_edge
where aspect < 62 and exists (
  select from stage_described described join stage_origin using (origin)
  where described.id = waiting_edge.owner_id and stage_origin.source_id = waiting_edge.source_id
    and described.aspects >> waiting_edge.aspect & 1 = 1
)`;

const ENDS = `
select id, matcher from waiting_edge
cross join lateral (values (start_matcher), (end_matcher)) ends (matcher)
where matcher is not null and not is_ambiguous`;

const BY_PROPERTY = `
insert into stage_awake
select ends.id from (${ENDS}) ends
join node on node.properties -> $1 = matcher #> '{matchers,0,value}'
where matcher #>> '{matchers,0,key}' = $1 and node.id in (select id from stage_seen)`;

const BY_OBJECT_ID = `
insert into stage_awake
select ends.id from (${ENDS}) ends
join object_id on object_id in (matcher #>> '{matchers,0,value}', upper(matcher #>> '{matchers,0,value}'))
where matcher #>> '{matchers,0,key}' = $1 and object_id.id in (select id from stage_seen)`;

/** The other end may have aged out since. */
const AWAKE = `
select waiting_edge.*,
       -1 - dense_rank() over (order by source_id, last_seen, by_schedule) as origin,
       -1 - row_number() over (order by waiting_edge.id) as sequence
from waiting_edge
where id in (select id from stage_awake)
  and (start_id is null or exists (select from node where node.id = start_id and deleted_at is null))
  and (end_id is null or exists (select from node where node.id = end_id and deleted_at is null))`;

const WAKE_ORIGINS = `
insert into stage_origin (origin, source_id, observed_at, by_schedule, seen_at, names_methods)
select distinct origin, source_id, last_seen, by_schedule, last_seen, true from (${AWAKE}) awake`;

const WAKE = `
insert into stage_matched (sequence, owner_id, aspect, source_id, origin, kind_id, flags, properties, create_missing,
  object_index, start_id, start_matcher, end_id, end_matcher)
select sequence, owner_id, aspect, source_id, origin, kind_id, flags, properties, false, -1,
       start_id, start_matcher, end_id, end_matcher
from (${AWAKE}) awake`;

/** Waiting edges of the job, by the file that contains them. */
export interface WaitingEdges {
  readonly origin: number;
  readonly count: number;
  /** Index in the file of the first object with a waiting edge. */
  readonly object_index: number;
  readonly kind: string;
  readonly at: 'start' | 'end';
  readonly matcher: Matcher;
}

export interface Matcher {
  readonly matchers: readonly { readonly key: string; readonly value: string | number | boolean }[];
  readonly kind: number | null;
}

/** The result for edges that wait, or were waiting. */
export interface Waiting {
  /** Number of edges from earlier jobs, including edges that this job repeats, whose objects exist now. */
  readonly found: number;
  readonly kept: readonly WaitingEdges[];
}

/**
 * @param ends from clause with `edge` (of `stage_matched`), `start_match` and `end_match`
 * @param fits whether each end of `edge` matches exactly one object
 */
export async function settleWaitingEdges(
  session: MergeSession,
  { ends, fits }: { readonly ends: string; readonly fits: string },
): Promise<Waiting> {
  const found = await session.count(
    `delete from waiting_edge where key in (select ${KEY('edge')} ${ends} where ${fits})`,
  );
  await session.run(
    `update waiting_edge set is_ambiguous = true
     where key in (select ${KEY('edge')} ${ends} where ${HAS_SEVERAL})`,
  );
  await session.run(`create temporary table stage_waiting on commit drop as
    select distinct on (key) * from (
      select ${KEY('edge')} as key, edge.*, stage_origin.observed_at, stage_origin.by_schedule,
             coalesce(start_match.matches, 0) = 0 and edge.start_matcher is not null as waits_for_start
      ${ends} join stage_origin on stage_origin.origin = edge.origin
      where edge.origin >= 0 and not edge.create_missing and not (${fits}) and not (${HAS_SEVERAL})
        and coalesce(pg_column_size(edge.start_matcher), 0) + coalesce(pg_column_size(edge.end_matcher), 0)
          + coalesce(pg_column_size(edge.properties), 0) <= ${MAX_WAITING_BYTES}
    ) waiting order by key, sequence desc`);
  await session.run(SAY_AGAIN);
  await session.run(KEEP);
  return { found, kept: await session.query<KeptRow>(KEPT) };
}

type KeptRow = WaitingEdges & Record<string, unknown>;

const HAS_SEVERAL = 'coalesce(start_match.matches, 0) > 1 or coalesce(end_match.matches, 0) > 1';

const SAY_AGAIN = `
update waiting_edge
set flags = said.flags, properties = said.properties, is_ambiguous = false,
    last_seen = greatest(waiting_edge.last_seen, said.observed_at), by_schedule = said.by_schedule
from stage_waiting said where waiting_edge.key = said.key`;

const KEEP = `
insert into waiting_edge (key, source_id, aspect, kind_id, flags, properties, owner_id, start_id, start_matcher,
  end_id, end_matcher, first_seen, last_seen, by_schedule)
select key, source_id, aspect, kind_id, flags, properties, owner_id, start_id, start_matcher,
       end_id, end_matcher, observed_at, observed_at, by_schedule
from stage_waiting said
where not exists (select from waiting_edge known where known.key = said.key)
order by sequence
limit greatest(0, ${MAX_WAITING_EDGES} - (select count(*) from waiting_edge))`;

const KEPT = `
select distinct on (origin) origin, count(*) over (partition by origin)::integer as count, object_index, edge_kind.name as kind,
       case when waits_for_start then 'start' else 'end' end as at,
       case when waits_for_start then start_matcher else end_matcher end as matcher
from stage_waiting said join edge_kind on edge_kind.id = said.kind_id
where exists (select from waiting_edge kept where kept.key = said.key)
order by origin, sequence`;

/** Whether an edge of `stage_matched` is stored as waiting. */
export const IS_KEPT = `exists (select from waiting_edge kept where kept.key = ${KEY('edge')} and not kept.is_ambiguous)`;
