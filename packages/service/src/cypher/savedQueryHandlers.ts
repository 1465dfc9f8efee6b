/** Saved queries over HTTP. Rule: `docs/cypher.md#saved-queries`. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  errorMessage,
  type ListedQuery,
  NOT_DELETED,
  nullUuid,
  SAVED_QUERY_COLUMNS,
  type SavedQuery,
  type SavedQueryPermission,
} from '@clew/api';
import { BUILT_IN_QUERIES } from '@clew/cypher';
import type { Db, SavedQueryShareTable, SavedQueryTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { ApiError, apiError } from '../operation/apiError.ts';
import { recordAudit } from '../operation/auditLog.ts';
import type { Handlers, RequestContext } from '../operation/handler.ts';
import type { TextStream } from '../operation/jsonStream.ts';
import { filterConditions, NEVER_DELETED, parseListQuery, sortOrders } from '../operation/lists/listQuery.ts';
import { requireUser, type UserPrincipal } from '../operation/principal.ts';
import {
  fileNameOf,
  MAX_IMPORT,
  queryFileText,
  type RefusedFile,
  readQueryFiles,
  zipOf,
} from './savedQueryFiles.ts';

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

type Row = Selectable<SavedQueryTable>;

const SCOPES = ['owned', 'shared', 'public', 'all'] as const;
type Scope = (typeof SCOPES)[number];

export function savedQueryHandlers(db: Db): Handlers<Operations> {
  return {
    async ListBuiltInQueries() {
      return { status: 200, json: { data: [...BUILT_IN_QUERIES] } };
    },

    async ListSavedQueries({ query, rawQuery }, { principal }) {
      const user = requireUser(principal);
      const { filters, sorts } = parseListQuery(rawQuery, SAVED_QUERY_COLUMNS, ['scope']);
      const { skip, limit } = query;
      const fitting = db
        .selectFrom('saved_query')
        .where((eb) =>
          eb.and([visibleIn(scopeOf(query.scope ?? 'owned'), user), ...filterConditions(filters)]),
        );
      const { count } = await fitting
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const sorted = [...sortOrders(sorts, NEVER_DELETED), sql.ref('id')].reduce(
        (rows, by) => rows.orderBy(by),
        fitting.selectAll().offset(skip).limit(limit),
      );
      const data = (await sorted.execute()).map(
        (row): ListedQuery => ({ ...recordOf(row), scope: reasonOf(row, user) }),
      );
      return { status: 200, json: { count: Number(count), skip, limit, data } };
    },

    async CreateSavedQuery({ body }, { principal }) {
      const user = requireUser(principal);
      const { name = '', query = '' } = body;
      const description = body.description ?? '';
      if (name.trim() === '' || query.trim() === '') throw apiError('emptySavedQuery');
      const row = await unlessTaken(() =>
        db
          .insertInto('saved_query')
          .values({ user_id: user.userId, name, query, description })
          .returningAll()
          .executeTakeFirstOrThrow(),
      );
      return { status: 201, json: { data: recordOf(row) } };
    },

    async GetSavedQuery({ params }, { principal }) {
      const row = await visibleQuery(db, params.saved_query_id, requireUser(principal));
      if (row === undefined) throw apiError('savedQueryNotFound');
      return { status: 200, json: { data: recordOf(row) } };
    },

    async UpdateSavedQuery({ params, body }, { principal }) {
      const user = requireUser(principal);
      const row = await find(db, params.saved_query_id);
      if (row === undefined || !mayChange(row, user)) throw apiError('savedQueryUnknown');
      const changed = await unlessTaken(() =>
        db
          .updateTable('saved_query')
          .set({
            name: body.name || row.name,
            query: body.query || row.query,
            description: body.description || row.description,
            updated_at: sql<string>`clock_timestamp()`,
          })
          .where('id', '=', row.id)
          .returningAll()
          .executeTakeFirstOrThrow(),
      );
      return { status: 200, json: { data: recordOf(changed) } };
    },

    async DeleteSavedQuery({ params }, { principal }) {
      const user = requireUser(principal);
      const row = await find(db, params.saved_query_id);
      if (row === undefined) throw apiError('savedQueryUnknown');
      if (!mayChange(row, user)) throw apiError('savedQueryNotOwned');
      await db.deleteFrom('saved_query').where('id', '=', row.id).execute();
      return { status: 204 };
    },

    async ExportSavedQuery({ params }, context) {
      const row = await visibleQuery(db, params.saved_query_id, requireUser(context.principal));
      if (row === undefined) throw apiError('savedQueryUnknown');
      await audit(db, context, 'ExportSavedQuery', { query_id: row.id });
      const content = Buffer.from(queryFileText(row));
      return download(content, 'application/octet-stream', `${fileNameOf(row.name)}.json`);
    },

    async ExportSavedQueries({ query }, context) {
      const user = requireUser(context.principal);
      if (query.scope === undefined || query.scope === '') throw apiError('missingScope');
      const scope = scopeOf(query.scope.split(',')[0]);
      const rows = await db
        .selectFrom('saved_query')
        .selectAll()
        .where(visibleIn(scope, user))
        .orderBy('id')
        .execute();
      await audit(db, context, 'ExportSavedQueries', { scope, count: rows.length });
      return download(await zipOf(rows), 'application/zip', 'exported_queries.zip');
    },

    async ImportSavedQueries({ stream }, context) {
      const user = requireUser(context.principal);
      const body = await wholeBody(stream);
      const { queries, refused } = await readQueryFiles(body, context.headers['content-type']);
      const faults = [...refused];
      await db.transaction().execute(async (transaction) => {
        for (const { file, query } of queries) {
          const { numInsertedOrUpdatedRows: count } = await transaction
            .insertInto('saved_query')
            .values({ ...query, user_id: user.userId })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst();
          if (count === 0n) faults.push({ file, reason: `a query of the name "${query.name}" exists` });
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
      const row = await find(db, params.saved_query_id);
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
      const row = await find(db, params.saved_query_id);
      if (row === undefined) throw apiError('savedQueryUnknown');
      if (!mayChange(row, user)) throw apiError('savedQueryForeign');
      if (isPublic) return makePublic(db, row);
      if (ids.length === 0) {
        await makePrivate(db, row);
        return { status: 204 };
      }
      if (ids.includes(user.userId)) throw apiError('sharedWithSelf');
      if (row.is_public) throw apiError('sharedWhilePublic');
      return { status: 201, json: { data: await share(db, row, ids) } };
    },

    async DeleteSavedQueryPermissions({ params, body }, { principal }) {
      const user = requireUser(principal);
      const row = await find(db, params.saved_query_id);
      if (row === undefined) throw apiError('savedQueryUnknown');
      const { user_ids: ids } = body;
      const isOnlySelf = ids.length > 0 && ids.every((id) => id === user.userId);
      if (!isOwner(row, user) && !isAdministrator(user) && !isOnlySelf) throw apiError('savedQueryForeign');
      const shares = await sharesOf(db, row.id);
      if (isOnlySelf && !shares.some(({ user_id }) => user_id === user.userId))
        throw apiError('notSharedToUser');
      const wanted = ids.filter(isUuid);
      if (wanted.length > 0)
        await db
          .deleteFrom('saved_query_share')
          .where('query_id', '=', row.id)
          .where('user_id', 'in', wanted)
          .execute();
      return { status: 204 };
    },
  };
}

/** More are counted. */
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

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

const isAdministrator = ({ role }: UserPrincipal): boolean => role === 'Administrator';
const isOwner = (row: Row, { userId }: UserPrincipal): boolean => row.user_id === userId;
const mayChange = (row: Row, user: UserPrincipal): boolean =>
  isOwner(row, user) || (row.is_public && isAdministrator(user));

function scopeOf(text: string): Scope {
  const scope = SCOPES.find((one) => one === text.toLowerCase());
  if (scope === undefined) throw apiError('invalidScope', { scope: text.slice(0, 100) });
  return scope;
}

function visibleIn(scope: Scope, { userId }: UserPrincipal) {
  const owned = sql<boolean>`user_id = ${userId}`;
  const shared = sql<boolean>`exists (select from saved_query_share share where share.query_id = saved_query.id and share.user_id = ${userId})`;
  switch (scope) {
    case 'owned':
      return owned;
    case 'shared':
      return shared;
    case 'public':
      return sql<boolean>`is_public`;
    case 'all':
      return sql<boolean>`(${owned} or is_public or ${shared})`;
  }
}

function reasonOf(row: Row, user: UserPrincipal): ListedQuery['scope'] {
  if (isOwner(row, user)) return 'owned';
  return row.is_public ? 'public' : 'shared';
}

function find(db: Db, id: number): Promise<Row | undefined> {
  return db.selectFrom('saved_query').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @returns nothing for one that the user may not see; administrators see all */
async function visibleQuery(db: Db, id: number, user: UserPrincipal): Promise<Row | undefined> {
  const query = db.selectFrom('saved_query').selectAll().where('id', '=', id);
  return (isAdministrator(user) ? query : query.where(visibleIn('all', user))).executeTakeFirst();
}

function sharesOf(db: Db, id: number): Promise<Selectable<SavedQueryShareTable>[]> {
  return db.selectFrom('saved_query_share').selectAll().where('query_id', '=', id).orderBy('id').execute();
}

async function makePublic(db: Db, row: Row) {
  if (row.is_public) return { status: 204 } as const;
  const made = await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('saved_query_share').where('query_id', '=', row.id).execute();
    return transaction
      .updateTable('saved_query')
      .set({ is_public: true })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return { status: 201, json: { data: [permissionOf(made, undefined)] } } as const;
}

async function makePrivate(db: Db, row: Row): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('saved_query_share').where('query_id', '=', row.id).execute();
    await transaction.updateTable('saved_query').set({ is_public: false }).where('id', '=', row.id).execute();
  });
}

async function share(db: Db, row: Row, ids: readonly string[]): Promise<SavedQueryPermission[]> {
  const wanted = [...new Set(ids)];
  return db.transaction().execute(async (transaction) => {
    const known = await transaction
      .selectFrom('user_account')
      .select('id')
      .where('id', 'in', [...wanted.filter(isUuid), randomUUID()])
      .execute();
    const unknown = wanted.find((id) => !known.some((one) => one.id === id));
    if (unknown !== undefined) throw apiError('unknownSharedUser', { id: unknown.slice(0, 100) });
    await transaction
      .insertInto('saved_query_share')
      .values(wanted.map((user_id) => ({ query_id: row.id, user_id })))
      .onConflict((conflict) => conflict.columns(['query_id', 'user_id']).doNothing())
      .execute();
    const shares = await sharesOf(transaction, row.id);
    return shares.filter(({ user_id }) => wanted.includes(user_id)).map((one) => permissionOf(row, one));
  });
}

function recordOf({ is_public: _, ...row }: Row): SavedQuery {
  return { ...row, deleted_at: NOT_DELETED };
}

function permissionOf(row: Row, one: Selectable<SavedQueryShareTable> | undefined): SavedQueryPermission {
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

/** @throws ApiError 400 when the owner has a query of that name */
async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'saved_query_user_id_name_key')
      throw apiError('duplicateSavedQuery');
    throw error;
  }
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
  return recordAudit(db, context, { action, status: 'success', fields });
}

function download(content: Buffer, mediaType: string, fileName: string) {
  return {
    status: 200,
    // Bytes; the type of streams that are not JSON.
    stream: Readable.from([content]) as unknown as TextStream,
    mediaType,
    headers: {
      'content-disposition': `attachment; filename="${fileName.replaceAll(/[^\x20-\x7e]/g, '_')}"`,
      'content-length': String(content.length),
    },
  };
}
