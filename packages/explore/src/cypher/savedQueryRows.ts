/** Saved queries in the database, and the users they are shared with. */
import { randomUUID } from 'node:crypto';
import {
  apiError,
  filterConditions,
  NEVER_DELETED,
  type parseListQuery,
  sortOrders,
  type UserPrincipal,
} from '@clew/common';
import type { Db, SavedQueryShareTable, SavedQueryTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { isAdministrator } from './savedQueryRights.ts';

export type SavedQueryRow = Selectable<SavedQueryTable>;
export type SavedQueryShare = Selectable<SavedQueryShareTable>;

export const SCOPES = ['owned', 'shared', 'public', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

type Listing = ReturnType<typeof parseListQuery>;

/** A page of the queries that a user sees in a scope, and the total count. */
export async function listQueries(
  db: Db,
  user: UserPrincipal,
  scope: Scope,
  {
    filters,
    sorts,
    skip,
    limit,
  }: Pick<Listing, 'filters' | 'sorts'> & { readonly skip: number; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly SavedQueryRow[] }> {
  const fitting = db
    .selectFrom('saved_query')
    .where((eb) => eb.and([visibleIn(scope, user), ...filterConditions(filters)]));
  const { count } = await fitting
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const sorted = [...sortOrders(sorts, NEVER_DELETED), sql.ref('id')].reduce(
    (rows, by) => rows.orderBy(by),
    fitting.selectAll().offset(skip).limit(limit),
  );
  return { count: Number(count), rows: await sorted.execute() };
}

export function allQueries(db: Db, user: UserPrincipal, scope: Scope): Promise<SavedQueryRow[]> {
  return db.selectFrom('saved_query').selectAll().where(visibleIn(scope, user)).orderBy('id').execute();
}

type Texts = Pick<SavedQueryRow, 'name' | 'query' | 'description'>;

/** @throws ApiError 400 if the owner has a query with this name */
export function insertQuery(db: Db, userId: string, texts: Texts): Promise<SavedQueryRow> {
  return unlessTaken(() =>
    db
      .insertInto('saved_query')
      .values({ ...texts, user_id: userId })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** @returns false if the owner has a query with this name */
export async function importQuery(db: Db, userId: string, texts: Texts): Promise<boolean> {
  const { numInsertedOrUpdatedRows: count } = await db
    .insertInto('saved_query')
    .values({ ...texts, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return count !== 0n;
}

/** @throws ApiError 400 if the owner has a query with this name */
export function updateQuery(db: Db, id: number, texts: Texts): Promise<SavedQueryRow> {
  return unlessTaken(() =>
    db
      .updateTable('saved_query')
      .set({ ...texts, updated_at: sql<string>`clock_timestamp()` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

export async function deleteQuery(db: Db, id: number): Promise<void> {
  await db.deleteFrom('saved_query').where('id', '=', id).execute();
}

export function findQuery(db: Db, id: number): Promise<SavedQueryRow | undefined> {
  return db.selectFrom('saved_query').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @returns `undefined` if the user may not see it; administrators see all */
export async function visibleQuery(
  db: Db,
  id: number,
  user: UserPrincipal,
): Promise<SavedQueryRow | undefined> {
  const query = db.selectFrom('saved_query').selectAll().where('id', '=', id);
  return (isAdministrator(user) ? query : query.where(visibleIn('all', user))).executeTakeFirst();
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

export function sharesOf(db: Db, id: number): Promise<SavedQueryShare[]> {
  return db.selectFrom('saved_query_share').selectAll().where('query_id', '=', id).orderBy('id').execute();
}

/** @returns the updated row */
export function makePublic(db: Db, id: number): Promise<SavedQueryRow> {
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('saved_query_share').where('query_id', '=', id).execute();
    return transaction
      .updateTable('saved_query')
      .set({ is_public: true })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

export async function makePrivate(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('saved_query_share').where('query_id', '=', id).execute();
    await transaction.updateTable('saved_query').set({ is_public: false }).where('id', '=', id).execute();
  });
}

/** @returns the shares with these users @throws ApiError if a user does not exist */
export function shareQuery(db: Db, id: number, ids: readonly string[]): Promise<SavedQueryShare[]> {
  const wanted = [...new Set(ids)];
  return db.transaction().execute(async (transaction) => {
    const known = await transaction
      .selectFrom('user_account')
      .select('id')
      .where('id', 'in', [...wanted.filter(isUuid), randomUUID()])
      .execute();
    const unknown = wanted.find((user) => !known.some((one) => one.id === user));
    if (unknown !== undefined) throw apiError('unknownSharedUser', { id: unknown.slice(0, 100) });
    await transaction
      .insertInto('saved_query_share')
      .values(wanted.map((user_id) => ({ query_id: id, user_id })))
      .onConflict((conflict) => conflict.columns(['query_id', 'user_id']).doNothing())
      .execute();
    const shares = await sharesOf(transaction, id);
    return shares.filter(({ user_id }) => wanted.includes(user_id));
  });
}

export async function endShares(db: Db, id: number, ids: readonly string[]): Promise<void> {
  const wanted = ids.filter(isUuid);
  if (wanted.length === 0) return;
  await db
    .deleteFrom('saved_query_share')
    .where('query_id', '=', id)
    .where('user_id', 'in', wanted)
    .execute();
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

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
