/** Saved queries over HTTP. Rule: `docs/cypher.md#saved-queries`. */
import type { Readable } from 'node:stream';
import {
  errorMessage,
  type ListedQuery,
  NOT_DELETED,
  nullUuid,
  SAVED_QUERY_COLUMNS,
  type SavedQuery,
  type SavedQueryPermission,
} from '@clew/api';
import {
  ApiError,
  apiError,
  fileAnswer,
  type Handlers,
  missingFor,
  parseListQuery,
  type RequestContext,
  recordSuccess,
  requireUser,
} from '@clew/common';
import { BUILT_IN_QUERIES } from '@clew/cypher';
import type { Db } from '@clew/store';
import {
  fileNameOf,
  MAX_IMPORT,
  queryFileText,
  type RefusedFile,
  readQueryFiles,
  zipOf,
} from './savedQueryFiles.ts';
import { isAdministrator, isOwner, mayChange, reasonOf } from './savedQueryRights.ts';
import {
  allQueries,
  deleteQuery,
  endShares,
  findQuery,
  importQuery,
  insertQuery,
  listQueries,
  makePrivate,
  makePublic,
  type SavedQueryRow,
  type SavedQueryShare,
  SCOPES,
  type Scope,
  shareQuery,
  sharesOf,
  updateQuery,
  visibleQuery,
} from './savedQueryRows.ts';

type Operations =
  | 'ListBuiltInQueries'
  | 'ListSavedQueries'
  | 'CreateSavedQuery'
  | 'GetSavedQuery'
  | 'UpdateSavedQuery'
  | 'DeleteSavedQuery'
  | 'ExportSavedQuery'
  | 'ExportSavedQueries'
  | 'ImportSavedQueries'
  | 'GetSavedQueryPermissions'
  | 'ShareSavedQuery'
  | 'DeleteSavedQueryPermissions';

export function savedQueryHandlers(db: Db): Handlers<Operations> {
  return {
    async ListBuiltInQueries() {
      return { status: 200, json: { data: [...BUILT_IN_QUERIES] } };
    },

    async ListSavedQueries({ query, rawQuery }, { principal }) {
      const user = requireUser(principal);
      const { filters, sorts } = parseListQuery(rawQuery, SAVED_QUERY_COLUMNS, ['scope']);
      const { skip, limit } = query;
      const scope = scopeOf(query.scope ?? 'owned');
      const { count, rows } = await listQueries(db, user, scope, { filters, sorts, skip, limit });
      const data = rows.map((row): ListedQuery => ({ ...recordOf(row), scope: reasonOf(row, user) }));
      return { status: 200, json: { count, skip, limit, data } };
    },

    async CreateSavedQuery({ body }, { principal }) {
      const user = requireUser(principal);
      const { name = '', query = '' } = body;
      const description = body.description ?? '';
      if (name.trim() === '' || query.trim() === '') throw apiError('emptySavedQuery');
      const row = await insertQuery(db, user.userId, { name, query, description });
      return { status: 201, json: { data: recordOf(row) } };
    },

    async GetSavedQuery({ params }, { principal }) {
      const row = await visibleQuery(db, params.saved_query_id, requireUser(principal));
      if (row === undefined) throw apiError('savedQueryNotFound');
      return { status: 200, json: { data: recordOf(row) } };
    },

    async UpdateSavedQuery({ params, body }, { principal }) {
      const user = requireUser(principal);
      const row = await findQuery(db, params.saved_query_id);
      if (row === undefined || !mayChange(row, user)) throw apiError('savedQueryUnknown');
      const changed = await updateQuery(db, row.id, {
        name: body.name || row.name,
        query: body.query || row.query,
        description: body.description || row.description,
      });
      return { status: 200, json: { data: recordOf(changed) } };
    },

    async DeleteSavedQuery({ params }, { principal }) {
      const user = requireUser(principal);
      const row = await findQuery(db, params.saved_query_id);
      if (row === undefined)
        throw missingFor(user, apiError('savedQueryUnknown'), apiError('savedQueryNotOwned'));
      if (!mayChange(row, user)) throw apiError('savedQueryNotOwned');
      await deleteQuery(db, row.id);
      return { status: 204 };
    },

    async ExportSavedQuery({ params }, context) {
      const row = await visibleQuery(db, params.saved_query_id, requireUser(context.principal));
      if (row === undefined) throw apiError('savedQueryUnknown');
      await audit(db, context, 'ExportSavedQuery', { query_id: row.id });
      const content = Buffer.from(queryFileText(row));
      return fileAnswer({ name: `${fileNameOf(row.name)}.json`, content });
    },

    async ExportSavedQueries({ query }, context) {
      const user = requireUser(context.principal);
      if (query.scope === undefined || query.scope === '') throw apiError('missingScope');
      const scope = scopeOf(query.scope.split(',')[0]);
      const rows = await allQueries(db, user, scope);
      await audit(db, context, 'ExportSavedQueries', { scope, count: rows.length });
      return fileAnswer({
        ...{ name: 'exported_queries.zip', mediaType: 'application/zip' },
        content: await zipOf(rows),
      });
    },

    async ImportSavedQueries({ stream }, context) {
      const user = requireUser(context.principal);
      const body = await wholeBody(stream);
      const { queries, refused } = await readQueryFiles(body, context.headers['content-type']);
      const faults = [...refused];
      await db.transaction().execute(async (transaction) => {
        for (const { file, query } of queries) {
          if (!(await importQuery(transaction, user.userId, query)))
            faults.push({ file, reason: `a query with the name "${query.name}" already exists` });
        }
        const count = queries.length + refused.length - faults.length;
        await audit(transaction, context, 'ImportSavedQueries', { count, refused: faults.length });
      });
      const imported = queries.length + refused.length - faults.length;
      if (imported === 0 && faults.length > 0) {
        const details = [listOf(faults)];
        if (refused.length === 0)
          throw new ApiError('duplicateSavedQuery', errorMessage('duplicateSavedQuery'), { details });
        throw apiError('malformedSavedQueries', { reason: listOf(faults) });
      }
      return { status: 201, text: importText(imported, faults), mediaType: 'text/plain' };
    },

    async GetSavedQueryPermissions({ params }, { principal }) {
      const user = requireUser(principal);
      const row = await findQuery(db, params.saved_query_id);
      const shares = row === undefined ? [] : await sharesOf(db, row.id);
      const mayRead = row !== undefined && (isOwner(row, user) || isAdministrator(user) || row.is_public);
      if (!mayRead || (!row.is_public && shares.length === 0))
        throw apiError('savedQueryPermissionsNotFound');
      const data = {
        query_id: row.id,
        public: row.is_public,
        shared_to_user_ids: shares.map(({ user_id }) => user_id),
      };
      return { status: 200, json: { data } };
    },

    async ShareSavedQuery({ params, body }, { principal }) {
      const user = requireUser(principal);
      const { user_ids: ids = [], public: isPublic = false } = body;
      if (isPublic && ids.length > 0) throw apiError('publicAndShared');
      const row = await findQuery(db, params.saved_query_id);
      if (row === undefined)
        throw missingFor(user, apiError('savedQueryUnknown'), apiError('savedQueryForeign'));
      if (!mayChange(row, user)) throw apiError('savedQueryForeign');
      if (isPublic) {
        if (row.is_public) return { status: 204 };
        return { status: 201, json: { data: [permissionOf(await makePublic(db, row.id), undefined)] } };
      }
      if (ids.length === 0) {
        await makePrivate(db, row.id);
        return { status: 204 };
      }
      if (ids.includes(user.userId)) throw apiError('sharedWithSelf');
      if (row.is_public) throw apiError('sharedWhilePublic');
      const shares = await shareQuery(db, row.id, ids);
      return { status: 201, json: { data: shares.map((one) => permissionOf(row, one)) } };
    },

    async DeleteSavedQueryPermissions({ params, body }, { principal }) {
      const user = requireUser(principal);
      const row = await findQuery(db, params.saved_query_id);
      const { user_ids: ids } = body;
      const isOnlySelf = ids.length > 0 && ids.every((id) => id === user.userId);
      if (row === undefined)
        throw missingFor(
          user,
          apiError('savedQueryUnknown'),
          apiError(isOnlySelf ? 'notSharedToUser' : 'savedQueryForeign'),
        );
      if (!isOwner(row, user) && !isAdministrator(user) && !isOnlySelf) throw apiError('savedQueryForeign');
      const shares = await sharesOf(db, row.id);
      if (isOnlySelf && !shares.some(({ user_id }) => user_id === user.userId))
        throw apiError('notSharedToUser');
      await endShares(db, row.id, ids);
      return { status: 204 };
    },
  };
}

/** Further ones are only counted. */
const NAMED_FAULTS = 100;

const listOf = (faults: readonly RefusedFile[]): string =>
  [
    ...faults.slice(0, NAMED_FAULTS).map(({ file, reason }) => `${file}: ${reason}`),
    ...(faults.length > NAMED_FAULTS ? [`and ${faults.length - NAMED_FAULTS} more`] : []),
  ].join('; ');

const importText = (imported: number, faults: readonly RefusedFile[]): string =>
  faults.length === 0
    ? `imported ${imported} queries`
    : `imported ${imported} queries, refused ${faults.length}: ${listOf(faults)}`;

function scopeOf(text: string): Scope {
  const scope = SCOPES.find((one) => one === text.toLowerCase());
  if (scope === undefined) throw apiError('invalidScope', { scope: text.slice(0, 100) });
  return scope;
}

/** User id of a query that belongs to an extension. */
const NO_USER = '00000000-0000-0000-0000-000000000000';

function recordOf({ is_public: _, ...row }: SavedQueryRow): SavedQuery {
  return { ...row, user_id: row.user_id ?? NO_USER, deleted_at: NOT_DELETED };
}

function permissionOf(row: SavedQueryRow, one: SavedQueryShare | undefined): SavedQueryPermission {
  const at = one?.created_at ?? row.created_at;
  return {
    id: one?.id ?? row.id,
    created_at: at,
    updated_at: at,
    deleted_at: NOT_DELETED,
    query_id: row.id,
    shared_to_user_id: nullUuid(one?.user_id ?? null),
    public: one === undefined,
  };
}

async function wholeBody(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    if (size > MAX_IMPORT) throw apiError('savedQueriesTooLarge');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function audit(
  db: Db,
  context: RequestContext,
  action: string,
  fields: Record<string, string | number>,
): Promise<void> {
  return recordSuccess(db, context, action, fields);
}
