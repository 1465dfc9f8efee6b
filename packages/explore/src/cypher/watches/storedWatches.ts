/** Watches in the store for their owners, and the retention of their results. */
import { WATCH_CHANGE_TYPES } from '@clew/api';
import {
  apiError,
  type ColumnReferences,
  filterConditions,
  type ListQuery,
  sortOrders,
  type UserPrincipal,
} from '@clew/common';
import { type Db, inTransaction, type QueryRun } from '@clew/store';
import { sql } from 'kysely';

/** All of them run with each generation. */
const MAX_OF_ONE = 20;
const MAX_WATCHES = 200;
/** Maximum number and age of stored changes per watch. */
const KEPT_CHANGES = 10_000;
const KEPT_DAYS = 90;

export interface WatchRow extends QueryRun {
  readonly query_id: number;
  readonly name: string;
  readonly created_at: string;
  readonly row_count: number;
  /** Whether the result belongs to the current query and environments. */
  readonly is_current: boolean;
  readonly changed_at: string | null;
  readonly new_count: number | null;
  readonly gone_count: number | null;
}

/** @returns environments in the form of `found_environments`: null for all, otherwise sorted */
const environmentsOf = ({ environments }: UserPrincipal): readonly string[] | null =>
  environments === null ? null : [...environments].toSorted();

/** Watches of a user, by query name. @param id only this one; default: all */
export async function watchesOf(db: Db, user: UserPrincipal, id?: number): Promise<WatchRow[]> {
  const { rows } = await sql<WatchRow>`
    select watch.query_id, saved.name, watch.created_at, watch.ran_at, watch.query_ms, watch.query_error,
      watch.query_warnings, current.is_current,
      case when current.is_current then watch.found_at end as found_at,
      case when current.is_current then watch.found_columns else '{}' end as found_columns,
      case when current.is_current then watch.row_count else 0 end as row_count,
      latest.changed_at, latest.new_count, latest.gone_count
    from query_watch watch
    join saved_query saved on saved.id = watch.query_id
    cross join lateral (
      select coalesce(watch.found_query = saved.query
        and watch.found_environments is not distinct from ${environmentsOf(user)}::text[], false) as is_current
    ) current
    left join lateral (
      select changed_at, new_count, gone_count from query_watch_event event
      where event.query_id = watch.query_id and current.is_current order by changed_at desc limit 1
    ) latest on true
    where saved.user_id = ${user.userId} and (${id ?? null}::bigint is null or watch.query_id = ${id ?? null}::bigint)
    order by saved.name, watch.query_id`.execute(db);
  return rows;
}

/** @returns whether it was not watched before @throws ApiError 409 if there are too many */
export function beginWatch(db: Db, user: UserPrincipal, id: number): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    await sql`lock table query_watch in share row exclusive mode`.execute(transaction);
    const known = await transaction
      .selectFrom('query_watch')
      .select('query_id')
      .where('query_id', '=', id)
      .executeTakeFirst();
    if (known !== undefined) return false;
    const { rows } = await sql<{ all: number; own: number }>`
      select count(*)::integer as all, count(*) filter (where saved.user_id = ${user.userId})::integer as own
      from query_watch watch join saved_query saved on saved.id = watch.query_id`.execute(transaction);
    if (rows[0].own >= MAX_OF_ONE) throw apiError('tooManyWatches', { count: `${MAX_OF_ONE} of your` });
    if (rows[0].all >= MAX_WATCHES) throw apiError('tooManyWatches', { count: String(MAX_WATCHES) });
    await transaction.insertInto('query_watch').values({ query_id: id }).execute();
    return true;
  });
}

export async function endWatch(db: Db, id: number): Promise<void> {
  await db.deleteFrom('query_watch').where('query_id', '=', id).execute();
}

export interface WatchChangeRow {
  readonly id: number;
  readonly changed_at: string;
  readonly is_new: boolean;
  readonly cells: readonly unknown[];
}

/** Columns of the list that differ in the table. */
const CHANGE_REFERENCES: ColumnReferences = {
  at: sql.ref('changed_at'),
  type: sql`case when is_new then ${WATCH_CHANGE_TYPES[0]}::text else ${WATCH_CHANGE_TYPES[1]}::text end`,
};

/** Changes of a current watch: newest generation first, new rows before removed ones. */
export async function changesOf(
  db: Db,
  id: number,
  { filters, sorts }: ListQuery,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly WatchChangeRow[] }> {
  const changes = db
    .selectFrom('query_watch_change')
    .where('query_id', '=', id)
    .where((eb) => eb.and(filterConditions(filters, CHANGE_REFERENCES)));
  const { count } = await changes
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const asked = changes.select(['id', 'changed_at', 'is_new', 'cells']);
  const rows = await sortOrders(sorts, CHANGE_REFERENCES)
    .reduce((query, by) => query.orderBy(by), asked)
    .orderBy('changed_at', 'desc')
    .orderBy('is_new', 'desc')
    .orderBy('id')
    .offset(skip)
    .limit(limit)
    .execute();
  return { count: Number(count), rows };
}

/** The changes of a watch in one generation. */
export interface WatchEvent {
  readonly query_id: number;
  readonly name: string;
  readonly changed_at: string;
  readonly new_count: number;
  readonly gone_count: number;
}

interface EventRange {
  readonly after: string;
  /** Whether the instant `after` is included. */
  readonly afterIsIn: boolean;
  readonly until: string;
  readonly untilIsIn: boolean;
  readonly limit: number;
}

/** Events of a user's current watches between two instants, in order. */
export async function watchEvents(
  db: Db,
  user: UserPrincipal,
  { after, afterIsIn, until, untilIsIn, limit }: EventRange,
): Promise<WatchEvent[]> {
  const { rows } = await sql<WatchEvent>`
    select event.query_id, saved.name, event.changed_at, event.new_count, event.gone_count
    from query_watch_event event
    join query_watch watch on watch.query_id = event.query_id
    join saved_query saved on saved.id = event.query_id
    where saved.user_id = ${user.userId} and watch.found_query = saved.query
      and watch.found_environments is not distinct from ${environmentsOf(user)}::text[]
      and event.changed_at >= ${after}::timestamptz and (${afterIsIn} or event.changed_at > ${after}::timestamptz)
      and event.changed_at <= ${until}::timestamptz and (${untilIsIn} or event.changed_at < ${until}::timestamptz)
    order by event.changed_at, event.query_id limit ${limit}`.execute(db);
  return rows;
}

export async function pruneWatches(db: Db): Promise<void> {
  const old = sql<string>`now() - make_interval(days => ${KEPT_DAYS})`;
  await db.deleteFrom('query_watch_event').where('changed_at', '<', old).execute();
  await db.deleteFrom('query_watch_change').where('changed_at', '<', old).execute();
  await sql`
    delete from query_watch_change change
    using query_watch watch
    cross join lateral (
      select id from query_watch_change kept where kept.query_id = watch.query_id
      order by id desc offset ${KEPT_CHANGES} limit 1
    ) oldest
    where change.query_id = watch.query_id and change.id <= oldest.id`.execute(db);
}
