/** Saved views in the database. */
import { type NewView, VIEW_PAGES, type ViewChange, type ViewPage } from '@clew/api';
import { apiError, isViewed, type UserPrincipal } from '@clew/common';
import { type Db, inTransaction, type SavedViewTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';

/** Maximum number of views per user. */
export const MAX_VIEWS = 100;
/** Maximum number of listed views, own and shared. */
const MAX_LISTED = 1000;

export type StoredView = Selectable<SavedViewTable> & { readonly owner: string };

const views = (db: Db) =>
  db
    .selectFrom('saved_view as view')
    .innerJoin('user_account as owner', 'owner.id', 'view.user_id')
    .selectAll('view')
    .select('owner.principal_name as owner');

interface PageRule {
  /** Parameters whose values name no object, user or text. */
  readonly withoutNames: ReadonlySet<string>;
  /** The permission that opens the page: users without it do not see views of others. */
  readonly needs?: string;
}

const PAGES: Readonly<Record<ViewPage, PageRule>> = {
  findings: {
    withoutNames: new Set([
      ...['view', 'severity', 'type', 'status', 'owner', 'new', 'zone', 'repair', 'sort'],
    ]),
  },
  fix: { withoutNames: new Set(['goal', 'zone']) },
  changes: { withoutNames: new Set(['days', 'since', 'kind', 'zone']) },
  posture: { withoutNames: new Set(['view', 'days', 'compare', 'zone']) },
  audit: { withoutNames: new Set(['queries']), needs: 'audit_log/Read' },
  certification: { withoutNames: new Set(['state', 'tag']) },
  zones: { withoutNames: new Set(['tag', 'from', 'to']) },
};

export const mayOpen = ({ permissions }: UserPrincipal, page: ViewPage): boolean => {
  const { needs } = PAGES[page];
  return needs === undefined || permissions.has(needs);
};

const namesObjects = (page: ViewPage, query: string): boolean =>
  [...new URLSearchParams(query).keys()].some((name) => !PAGES[page].withoutNames.has(name));

/** Filters may name objects, so users with limited environments see only shared views whose filters do not. */
function isVisible(view: StoredView, user: UserPrincipal): boolean {
  if (view.user_id === user.userId) return view.is_shared || !isViewed(user);
  const page = VIEW_PAGES.find((one) => one === view.page);
  if (!view.is_shared || page === undefined || !mayOpen(user, page)) return false;
  return user.environments === null || !namesObjects(page, view.query);
}

/** Views that a user may see: their own and shared ones. An administrator who sees the service as the user sees shared ones only. */
export async function listViews(db: Db, user: UserPrincipal): Promise<StoredView[]> {
  const rows = await views(db)
    .where((eb) => eb.or([eb('view.user_id', '=', user.userId), eb('view.is_shared', '=', true)]))
    .orderBy((eb) => eb('view.user_id', '=', user.userId), 'desc')
    .orderBy('view.name')
    .orderBy('view.id')
    .limit(MAX_LISTED)
    .execute();
  return rows.filter((row) => isVisible(row, user));
}

/** @throws ApiError 404, also for another user's view that is not shared */
export async function visibleView(db: Db, id: number, user: UserPrincipal): Promise<StoredView> {
  const found = await views(db).where('view.id', '=', id).executeTakeFirst();
  if (found === undefined || !isVisible(found, user)) throw apiError('viewNotFound');
  return found;
}

/** @returns its number @throws ApiError 409 if the user already has a view of that name or too many views */
export function insertView(
  db: Db,
  { userId }: UserPrincipal,
  { name, page, query, columns = null, shared = false }: NewView,
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    // Serializes concurrent requests, so that the count is right.
    await transaction.selectFrom('user_account').select('id').where('id', '=', userId).forUpdate().execute();
    const { count } = await transaction
      .selectFrom('saved_view')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_VIEWS) throw apiError('tooManyViews', { count: String(MAX_VIEWS) });
    const { id } = await unlessTaken(() =>
      transaction
        .insertInto('saved_view')
        .values({ user_id: userId, page, name: name.trim(), query, columns, is_shared: shared })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return id;
  });
}

/** @throws ApiError 409 if another view of its owner has the name */
export async function updateView(
  db: Db,
  id: number,
  { name, query, columns, shared }: ViewChange,
): Promise<void> {
  await unlessTaken(() =>
    db
      .updateTable('saved_view')
      .set({
        ...(name !== undefined && { name: name.trim() }),
        ...(query !== undefined && { query }),
        ...(columns !== undefined && { columns }),
        ...(shared !== undefined && { is_shared: shared }),
        updated_at: sql<string>`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute(),
  );
}

/** @throws ApiError 404 if it was deleted in the meantime */
export async function deleteView(db: Db, id: number): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('saved_view').where('id', '=', id).executeTakeFirst();
  if (numDeletedRows === 0n) throw apiError('viewNotFound');
}

async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'saved_view_user_id_page_name_key')
      throw apiError('duplicateView');
    throw error;
  }
}
