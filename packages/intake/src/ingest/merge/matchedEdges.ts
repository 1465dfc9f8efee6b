/**
 * Edges with an end that is identified only by properties (members given by distinguished name, OpenGraph
 * `match_by`). Such an end must match exactly one node. If none matches, the node is created if the edge requests
 * it; otherwise the edge waits for it (`waitingEdges.ts`). If several match, the edge is rejected.
 */
import { Aspect } from '@clew/model';
import type { MergeSession } from './statement.ts';
import {
  IS_KEPT,
  MAX_WAITING_EDGES,
  type Matcher,
  settleWaitingEdges,
  type WaitingEdges,
  wakeWaitingEdges,
} from './waitingEdges.ts';

/** Maximum number of keys; each one costs a scan of the nodes. */
const MAX_KEYS = 64;

export interface RefusedEdge {
  readonly origin: number;
  readonly object_index: number;
  readonly reason: string;
  /** Whether the collector wrote a name instead of an id, which is not an error of the file. */
  readonly isByName?: boolean;
}

/** A waiting edge of a file, with the file's number of waiting edges. */
export interface WaitingEdge extends RefusedEdge {
  readonly count: number;
}

export interface MatchedResult {
  readonly refused: readonly RefusedEdge[];
  /** One entry per file with waiting edges. */
  readonly waiting: readonly WaitingEdge[];
  /** Edges that were waiting and are resolved now. */
  readonly found: number;
}

/** Must run after nodes are merged, because an edge may match an object of the same job. */
export async function resolveMatchedEdges(session: MergeSession): Promise<MatchedResult> {
  await wakeWaitingEdges(session, MAX_KEYS);
  const [{ some }] = await session.query<{ some: boolean }>(
    'select exists (select from stage_held) or exists (select from stage_matched) as some',
  );
  if (!some) return { refused: [], waiting: [], found: 0 };
  await session.run('insert into stage_set_again select * from stage_held');
  await session.run(
    'create temporary table stage_found (matcher jsonb not null, node_id integer not null) on commit drop',
  );
  for (const key of await matchedKeys(session)) {
    await session.run(key === 'objectid' ? FIND_BY_OBJECT_ID : FIND_BY_PROPERTY, [key]);
  }
  await makeMissing(session);
  await session.run(`create temporary table stage_match on commit drop as ${UNIQUE_MATCH}`);
  await session.run('analyze stage_matched, stage_match');
  await session.run(RESOLVE);
  await session.run(RESOLVE_SESSIONS);
  const { found, kept } = await settleWaitingEdges(session, { ends: ENDS_FOUND, fits: BOTH_FIT });
  const rows = await session.query<RefusedRow>(REFUSED);
  return {
    refused: rows.map((row) => ({
      ...{
        origin: row.origin,
        object_index: row.object_index,
        reason: refusalOf(row),
        isByName: row.is_by_name,
      },
    })),
    waiting: kept.map(waitingOf),
    found,
  };
}

function waitingOf({ origin, count, object_index, kind, at, matcher }: WaitingEdges): WaitingEdge {
  const reason = `no object matches the properties of an edge yet; the edge is kept until one arrives: ${at} of ${kind} with ${named(matcher)}`;
  return { origin, count, object_index, reason };
}

interface RefusedRow {
  readonly origin: number;
  readonly object_index: number;
  readonly kind: string | null;
  readonly is_by_name: boolean;
  readonly start_matcher: Matcher | null;
  readonly end_matcher: Matcher | null;
  /** Number of matching objects. */
  readonly starts: number;
  readonly ends: number;
}

/** Maximum number of characters shown of a value. */
const MAX_SHOWN = 128;

function refusalOf({ kind, start_matcher, end_matcher, starts, ends }: RefusedRow): string {
  const several = [starts, ends].some((found) => Number(found) > 1);
  const isEnd = several ? Number(starts) <= 1 : Number(starts) === 1;
  const place = `${isEnd ? 'end' : 'start'} of ${kind ?? 'the edge'} with ${named(isEnd ? end_matcher : start_matcher)}`;
  if (several) return `several objects match the properties of an edge: ${place}`;
  return `no object matches the properties of an edge, and it cannot be kept because ${MAX_WAITING_EDGES} other edges are already waiting or it is too large: ${place}`;
}

const named = (matcher: Matcher | null): string =>
  (matcher?.matchers ?? [])
    .map(({ key, value }) => {
      const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN)) : String(value);
      return `${JSON.stringify(key.slice(0, MAX_SHOWN))} ${shown}`;
    })
    .join(' and ');

async function matchedKeys(session: MergeSession): Promise<readonly string[]> {
  const rows = await session.query<{ key: string }>(
    `select distinct matcher #>> '{matchers,0,key}' as key
     from (select start_matcher as matcher from stage_matched union all select end_matcher from stage_matched) ends
     where matcher is not null order by key limit ${MAX_KEYS}`,
  );
  return rows.map(({ key }) => key);
}

const ENDS = `
select distinct matcher, create_missing from (
  select start_matcher as matcher, create_missing from stage_matched
  union all
  select end_matcher, create_missing from stage_matched
) ends
where matcher is not null`;

/** The node exists, has the requested kind, and satisfies every matcher. */
const FITS = `
node.deleted_at is null
and (matcher -> 'kind' = 'null' or (matcher ->> 'kind')::smallint = any (node.kinds))
and not exists (
  select from jsonb_array_elements(matcher -> 'matchers') condition
  where condition ->> 'key' <> 'objectid'
    and node.properties -> (condition ->> 'key') is distinct from condition -> 'value'
)`;

const FIND_BY_PROPERTY = `
insert into stage_found
select distinct matcher, node.id
from (${ENDS}) wanted
join node on node.properties -> $1 = matcher #> '{matchers,0,value}'
where matcher #>> '{matchers,0,key}' = $1 and ${FITS}`;

/** Tries the exact id first, and then the id in upper case, like lookups by id. */
const FIND_BY_OBJECT_ID = `
insert into stage_found
select distinct matcher, node.id
from (${ENDS}) wanted
join object_id on object_id.object_id in (matcher #>> '{matchers,0,value}', upper(matcher #>> '{matchers,0,value}'))
join node using (id)
where matcher #>> '{matchers,0,key}' = $1 and ${FITS}
  and (object_id.object_id = matcher #>> '{matchers,0,value}' or not exists (
    select from object_id very join node there using (id)
    where very.object_id = matcher #>> '{matchers,0,value}' and there.deleted_at is null
  ))`;

/** The value of the first matcher becomes the object id, for instance a distinguished name. */
async function makeMissing(session: MergeSession): Promise<void> {
  await session.run(`
create temporary table stage_made on commit drop as
select matcher, upper(matcher #>> '{matchers,0,value}') as object_id, min(origin) as origin
from (
  select start_matcher as matcher, origin from stage_matched where create_missing
  union all
  select end_matcher, origin from stage_matched where create_missing
) ends
where matcher is not null and matcher not in (select matcher from stage_found)
  and octet_length(matcher #>> '{matchers,0,value}') between 1 and 2048
group by matcher`);
  await session.run(`
insert into object_id (object_id)
select distinct object_id from stage_made made
where not exists (select from object_id known where known.object_id = made.object_id)
order by object_id`);
  await session.change(`
insert into node (id, kinds, properties, described, first_seen)
select object_id.id, array(select kind::smallint from jsonb_array_elements_text(matcher -> 'kinds') kind order by 1),
       (select jsonb_object_agg(condition ->> 'key', condition -> 'value')
        from jsonb_array_elements(matcher -> 'matchers') condition),
       false, observed_at
from (select distinct on (object_id) * from stage_made order by object_id, matcher) made
join object_id using (object_id)
join stage_origin using (origin)
where not exists (select from node where node.id = object_id.id)`);
  await session.run(`
insert into stage_seen (id, origin) select object_id.id, origin from stage_made join object_id using (object_id)`);
  await session.run(`
insert into stage_found
select matcher, object_id.id from stage_made join object_id using (object_id)`);
}

const UNIQUE_MATCH = `
select matcher, min(node_id) as node_id, count(*) as matches from stage_found group by matcher`;

const ENDS_FOUND = `
from stage_matched edge
left join stage_match start_match on start_match.matcher = edge.start_matcher
left join stage_match end_match on end_match.matcher = edge.end_matcher`;

const START_FITS = '(edge.start_matcher is null or start_match.matches = 1)';
const END_FITS = '(edge.end_matcher is null or end_match.matches = 1)';

const BOTH_FIT = `coalesce(${START_FITS} and ${END_FITS}, false)`;

/** Adds the resolved edge to its set, like any other edge of the job. */
const RESOLVE = `
insert into stage_set_again
select coalesce(edge.owner_id, start_match.node_id), edge.aspect, edge.source_id, edge.origin, false, false, edge.sequence,
       array[coalesce(edge.start_id, start_match.node_id)], array[edge.kind_id],
       array[coalesce(edge.end_id, end_match.node_id)], array[edge.flags],
       case when edge.properties is null then null else jsonb_build_object('0', edge.properties) end
${ENDS_FOUND}
where ${BOTH_FIT} and edge.aspect <> ${Aspect.sessions}`;

/** Sessions age individually. */
const RESOLVE_SESSIONS = `
insert into stage_sample (start_id, kind_id, end_id, source_id, owner_id, origin, flags, properties, sequence)
select coalesce(edge.start_id, start_match.node_id), edge.kind_id, coalesce(edge.end_id, end_match.node_id), edge.source_id,
       coalesce(edge.owner_id, edge.start_id, start_match.node_id), edge.origin, edge.flags, edge.properties, edge.sequence
${ENDS_FOUND}
where ${BOTH_FIT} and edge.aspect = ${Aspect.sessions}`;

const REFUSED = `
select edge.origin, edge.object_index,
       edge_kind.name as kind, edge.aspect <> ${Aspect.opengraph} and not edge.create_missing as is_by_name, edge.start_matcher, edge.end_matcher,
       case when edge.start_matcher is null then 1 else coalesce(start_match.matches, 0) end as starts,
       case when edge.end_matcher is null then 1 else coalesce(end_match.matches, 0) end as ends
${ENDS_FOUND}
left join edge_kind on edge_kind.id = edge.kind_id
where not ${BOTH_FIT} and edge.origin >= 0 and not ${IS_KEPT}
order by edge.sequence
limit 1000`;
