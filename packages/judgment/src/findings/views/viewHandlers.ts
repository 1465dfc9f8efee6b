/** Saved views over HTTP: only the owner can change a view; other users see shared ones, and administrators can delete those that they see. Rule: `docs/web.md#saved-views`. */
import { VIEW_COLUMNS, type ViewRecord } from '@clew/api';
import type { Handlers, RequestContext, UserPrincipal } from '@clew/common';
import { apiError, recordPage, recordSuccess, requireUser } from '@clew/common';
import { type Db, inTransaction } from '@clew/store';
import {
  deleteView,
  insertView,
  listViews,
  mayOpen,
  type StoredView,
  updateView,
  visibleView,
} from './storedViews.ts';

type Operations = 'ListViews' | 'GetView' | 'CreateView' | 'UpdateView' | 'DeleteView';

export function viewHandlers(db: Db): Handlers<Operations> {
  const audit = (
    transaction: Db,
    context: RequestContext,
    action: string,
    { id, name, page, shared }: ViewRecord,
  ) => recordSuccess(transaction, context, action, { view_id: id, name, page, shared });
  return {
    async ListViews(input, { principal }) {
      const user = requireUser(principal);
      const records = (await listViews(db, user)).map((row) => recordOf(row, user));
      return { status: 200, json: recordPage(records, VIEW_COLUMNS, input) };
    },

    async GetView({ params }, { principal }) {
      const user = requireUser(principal);
      const row = await visibleView(db, params.view_id, user);
      return { status: 200, json: { data: recordOf(row, user) } };
    },

    async CreateView({ body }, context) {
      const user = requireUser(context.principal);
      requireSharing(user, body.shared);
      if (!mayOpen(user, body.page)) throw apiError('notAuthorized');
      const record = await inTransaction(db, async (transaction) => {
        const id = await insertView(transaction, user, body);
        const made = recordOf(await visibleView(transaction, id, user), user);
        await audit(transaction, context, 'CreateView', made);
        return made;
      });
      return { status: 201, json: { data: record } };
    },

    async UpdateView({ params, body }, context) {
      const user = requireUser(context.principal);
      const before = await visibleView(db, params.view_id, user);
      if (before.user_id !== user.userId) throw apiError('viewForeign');
      // Changes of a shared view are visible to others.
      requireSharing(user, body.shared ?? before.is_shared);
      const record = await inTransaction(db, async (transaction) => {
        await updateView(transaction, before.id, body);
        const changed = recordOf(await visibleView(transaction, before.id, user), user);
        await audit(transaction, context, 'UpdateView', changed);
        return changed;
      });
      return { status: 200, json: { data: record } };
    },

    async DeleteView({ params }, context) {
      const user = requireUser(context.principal);
      const row = await visibleView(db, params.view_id, user);
      if (row.user_id !== user.userId && user.role !== 'Administrator') throw apiError('viewForeign');
      await inTransaction(db, async (transaction) => {
        await deleteView(transaction, row.id);
        await audit(transaction, context, 'DeleteView', recordOf(row, user));
      });
      return { status: 204 };
    },
  };
}

/** @throws ApiError 403 for users who may not share views */
function requireSharing({ permissions }: UserPrincipal, shared: boolean | undefined): void {
  if (shared === true && !permissions.has('saved_queries/Write')) throw apiError('notAuthorized');
}

function recordOf(row: StoredView, { userId }: UserPrincipal): ViewRecord {
  const { id, name, page, query, columns, is_shared, owner, created_at, updated_at } = row;
  return {
    ...{ id, name, page, query, columns, shared: is_shared, owner, is_own: row.user_id === userId },
    ...{ created_at, updated_at },
  };
}
