/**
 * Runs the watched saved queries on the graph of a new generation, for the environments that their owners may see, and publishes new and
 * removed rows. A failing one keeps its last result, with its date. Rule: `docs/cypher.md#watches`.
 */
import { type AttackGraph, findNode, NO_NODE } from '@clew/graph';
import type pg from 'pg';
import {
  type Ran,
  runStoredQueries,
  type SelectorGraph,
  type SelectorRunOptions,
  type TimedOut,
  WATCH_LIMITS,
} from '../selectorQueries.ts';
import { withoutLiterals } from '../withoutLiterals.ts';
import { type WatchFound, watchedRows } from './watchedRows.ts';

interface Row {
  readonly id: number;
  readonly query: string;
  readonly environments: string[] | null;
  readonly query_ms: number | null;
  readonly query_timed_out: TimedOut | null;
}

export interface RanWatch extends Pick<Row, 'id' | 'query' | 'environments'> {
  readonly ran: Ran<WatchFound>;
}

/** Owners that may sign in; the order of environments is irrelevant. */
const WATCHES = `
select watch.query_id::float8 as id, saved.query, query_ms, query_timed_out,
  (select array_agg(id order by id collate "C") from unnest(owner.environments) as id) as listed,
  owner.environments is null as sees_all
from query_watch watch
join saved_query saved on saved.id = watch.query_id
join user_account owner on owner.id = saved.user_id
where not owner.is_disabled order by watch.query_id`;

/** @param client not in a transaction */
export async function runWatches(
  client: pg.ClientBase,
  graph: SelectorGraph,
  options: Pick<SelectorRunOptions, 'connection' | 'signal' | 'bounds'>,
): Promise<readonly RanWatch[]> {
  const { rows } = await client.query<
    Omit<Row, 'environments'> & { readonly listed: string[] | null; readonly sees_all: boolean }
  >(WATCHES);
  const watches = rows.map(
    ({ listed, sees_all, ...row }): Row => ({ ...row, environments: sees_all ? null : (listed ?? []) }),
  );
  if (watches.length === 0) return [];
  const queries = watches.map(({ id, query, environments, query_ms, query_timed_out }) => ({
    ...{ selectorId: id, queries: [query] },
    ...(query_ms !== null && { milliseconds: query_ms }),
    ...(query_timed_out !== null && { timedOut: query_timed_out }),
    ...(environments !== null && { environments: environmentNodes(graph.graph, environments) }),
  }));
  const limits = options.bounds?.limits ?? WATCH_LIMITS;
  const ran = await runStoredQueries(
    graph,
    queries,
    { ...options, bounds: { ...options.bounds, limits } },
    {
      ...{ plural: 'watched queries', selects: false },
      take: ([answer]) => watchedRows(graph.graph, graph, answer),
    },
  );
  return watches.flatMap(({ id, query, environments }) => {
    const one = ran.get(id);
    return one === undefined ? [] : [{ id, query, environments, ran: withWarnings(query, one) }];
  });
}

const environmentNodes = (graph: AttackGraph, ids: readonly string[]): number[] =>
  ids.map((id) => findNode(graph, id)).filter((node) => node !== NO_NODE);

function withWarnings(query: string, ran: Ran<WatchFound>): Ran<WatchFound> {
  if ('error' in ran || !/\blimit\b/i.test(withoutLiterals(query))) return ran;
  return {
    ...ran,
    warnings: [...ran.warnings, 'the query has a LIMIT: rows may appear or disappear because of other rows'],
  };
}

/** Maximum number of stored warnings per watch. */
const MAX_WARNINGS = 10;

/** @param client in the transaction of the generation @param instant of the generation */
export async function publishWatches(
  client: pg.ClientBase,
  watches: readonly RanWatch[],
  instant: string,
): Promise<void> {
  for (const watch of watches) await publishWatch(client, watch, instant);
}

async function publishWatch(
  client: pg.ClientBase,
  { id, query, environments, ran }: RanWatch,
  instant: string,
): Promise<void> {
  const { rows: held } = await client.query<{ is_same: boolean }>(HELD, [id, query, environments]);
  // The watch was removed or changed in the meantime: the next generation runs its new query.
  if (held.length === 0) return;
  const milliseconds = ran.milliseconds ?? null;
  if ('error' in ran) {
    await client.query(FAILED, [id, instant, milliseconds, ran.error, JSON.stringify(ran.timedOut ?? null)]);
    return;
  }
  const [{ is_same }] = held;
  if (!is_same) await client.query(FORGET, [id]);
  const { added, gone } = await replaceRows(client, id, ran.rows);
  if (is_same && added.length + gone.length > 0) {
    await client.query(CHANGED, [id, instant, false, gone]);
    await client.query(CHANGED, [id, instant, true, added]);
    await client.query(EVENT, [id, instant, added.length, gone.length, environments]);
  }
  const warnings = ran.warnings.length === 0 ? null : ran.warnings.slice(0, MAX_WARNINGS);
  await client.query(WORKED, [
    ...[id, instant, milliseconds, warnings, query, environments, ran.columns, ran.rows.size],
  ]);
}

/** @returns cells of new rows and of removed rows */
async function replaceRows(
  client: pg.ClientBase,
  id: number,
  rows: ReadonlyMap<string, string>,
): Promise<{ readonly added: readonly string[]; readonly gone: readonly string[] }> {
  const { rows: before } = await client.query<{ digest: string }>(
    `select encode(digest, 'hex') as digest from query_watch_row where query_id = $1`,
    [id],
  );
  const known = new Set(before.map(({ digest }) => digest));
  const leaving = [...known].filter((digest) => !rows.has(digest));
  const { rows: gone } = await client.query<{ cells: string }>(
    `delete from query_watch_row where query_id = $1
       and digest in (select decode(hex, 'hex') from unnest($2::text[]) as hex)
     returning cells::text as cells`,
    [id, leaving],
  );
  await client.query(ROWS, [id, [...rows.keys()], [...rows.values()]]);
  const added = [...rows].filter(([digest]) => !known.has(digest)).map(([, cells]) => cells);
  return { added, gone: gone.map(({ cells }) => cells) };
}

const HELD = `
select coalesce(watch.found_query = $2 and watch.found_environments is not distinct from $3::text[], false) as is_same
from query_watch watch join saved_query saved on saved.id = watch.query_id
where watch.query_id = $1 and saved.query = $2
for update of watch for key share of saved`;

/** The result of another query, or for other environments, cannot be compared. */
const FORGET = `
with row_gone as (delete from query_watch_row where query_id = $1),
  change_gone as (delete from query_watch_change where query_id = $1)
delete from query_watch_event where query_id = $1`;

/** The cells of an existing row may change: objects get other names. */
const ROWS = `
insert into query_watch_row (query_id, digest, cells)
select $1, decode(given.digest, 'hex'), given.cells::jsonb
from unnest($2::text[], $3::text[]) as given (digest, cells)
on conflict (query_id, digest) do update set cells = excluded.cells
where query_watch_row.cells is distinct from excluded.cells`;

const CHANGED = `
insert into query_watch_change (query_id, changed_at, is_new, cells)
select $1, $2, $3, cells::jsonb from unnest($4::text[]) as cells`;

const EVENT = `
insert into query_watch_event (query_id, changed_at, new_count, gone_count, environments)
values ($1, $2, $3, $4, $5)`;

const FAILED = `
update query_watch
set ran_at = $2, query_ms = coalesce($3, query_ms), query_error = $4, query_timed_out = nullif($5::jsonb, 'null'),
  query_warnings = null
where query_id = $1`;

const WORKED = `
update query_watch
set ran_at = $2, query_ms = $3, query_error = null, query_timed_out = null, query_warnings = $4, found_at = $2,
  found_query = $5, found_environments = $6, found_columns = $7, row_count = $8
where query_id = $1`;
