/** Watched queries over HTTP: users watch their own saved queries, and no one else can read the results. Rule: `docs/cypher.md#watches`. */
import { type QueryWatch, WATCH_CHANGE_COLUMNS, WATCH_COLUMNS, type WatchChange } from '@clew/api';
import type { Handlers, RequestContext, UserPrincipal } from '@clew/common';
import { apiError, parseListQuery, recordPage, recordSuccess, requireUser } from '@clew/common';
import type { Db } from '@clew/store';
import { isOwner } from '../savedQueryRights.ts';
import { findQuery, type SavedQueryRow, visibleQuery } from '../savedQueryRows.ts';
import { withoutLiterals } from '../withoutLiterals.ts';
import { beginWatch, changesOf, endWatch, type WatchRow, watchesOf } from './storedWatches.ts';

const MAX_PAGE = 1000;

type Operations =
  | 'ListQueryWatches'
  | 'GetQueryWatch'
  | 'WatchSavedQuery'
  | 'UnwatchSavedQuery'
  | 'ListWatchChanges';

export function watchHandlers(db: Db): Handlers<Operations> {
  return {
    async ListQueryWatches(input, { principal }) {
      const records = (await watchesOf(db, requireUser(principal))).map(recordOf);
      return { status: 200, json: recordPage(records, WATCH_COLUMNS, input) };
    },

    async GetQueryWatch({ params }, { principal }) {
      const watch = await ownWatch(db, requireUser(principal), params.saved_query_id);
      return { status: 200, json: { data: recordOf(watch) } };
    },

    async WatchSavedQuery({ params }, context) {
      const user = requireUser(context.principal);
      const query = await ownQuery(db, user, params.saved_query_id);
      const isNew = await db.transaction().execute(async (transaction) => {
        if (!(await beginWatch(transaction, user, query.id))) return false;
        await audit(transaction, context, 'WatchSavedQuery', query);
        return true;
      });
      const json = { data: recordOf(await ownWatch(db, user, query.id)) };
      return isNew ? { status: 201, json } : { status: 200, json };
    },

    async UnwatchSavedQuery({ params }, context) {
      const query = await ownQuery(db, requireUser(context.principal), params.saved_query_id);
      await db.transaction().execute(async (transaction) => {
        await endWatch(transaction, query.id);
        await audit(transaction, context, 'UnwatchSavedQuery', query);
      });
      return { status: 204 };
    },

    async ListWatchChanges({ params, query, rawQuery }, { principal }) {
      const watch = await ownWatch(db, requireUser(principal), params.saved_query_id);
      const { skip } = query;
      const limit = Math.min(query.limit, MAX_PAGE);
      const list = parseListQuery(rawQuery, WATCH_CHANGE_COLUMNS);
      // Rows found for other environments must no longer be visible.
      const { count, rows } =
        watch.found_at === null
          ? { count: 0, rows: [] }
          : await changesOf(db, watch.query_id, list, { skip, limit });
      const data = rows.map(
        ({ id, changed_at, is_new, cells }): WatchChange => ({
          ...{ id, at: changed_at, type: is_new ? 'new' : 'gone', row: [...cells] },
        }),
      );
      return { status: 200, json: { count, skip, limit, data } };
    },
  };
}

/** @throws ApiError 404, or 403 for a visible query of another user */
async function ownQuery(db: Db, user: UserPrincipal, id: number): Promise<SavedQueryRow> {
  const query = await findQuery(db, id);
  if (query !== undefined && isOwner(query, user)) return query;
  if ((await visibleQuery(db, id, user)) !== undefined) throw apiError('savedQueryForeign');
  throw apiError('savedQueryUnknown');
}

/** @throws ApiError 404 */
async function ownWatch(db: Db, user: UserPrincipal, id: number): Promise<WatchRow> {
  const [watch] = await watchesOf(db, user, id);
  if (watch === undefined) throw apiError('queryNotWatched');
  return watch;
}

function recordOf(row: WatchRow): QueryWatch {
  const { query_id, name, created_at, ran_at, query_ms, query_error, query_warnings } = row;
  const { found_at, found_columns, row_count, changed_at, new_count, gone_count } = row;
  return {
    ...{ query_id, name, created_at, ran_at, milliseconds: query_ms, error: query_error },
    ...{ warnings: query_warnings ?? [], found_at, columns: found_columns, row_count },
    last_change:
      changed_at === null ? null : { at: changed_at, new_count: new_count ?? 0, gone_count: gone_count ?? 0 },
  };
}

const audit = (
  db: Db,
  context: RequestContext,
  action: string,
  { id, query }: SavedQueryRow,
): Promise<void> => recordSuccess(db, context, action, { query_id: id, query: withoutLiterals(query) });
