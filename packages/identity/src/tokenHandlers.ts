/** API tokens in the API: create, list, delete. Rule: `docs/reference/api.md#api-tokens`. */
import { AUTH_TOKEN_COLUMNS } from '@clew/api';
import {
  apiError,
  type Filter,
  filterConditions,
  type Handlers,
  missingFor,
  NEVER_DELETED,
  parseListQuery,
  parseTime,
  recordAudit,
  recordSuccess,
  requireUser,
  sortOrders,
  storableText,
  type UserPrincipal,
} from '@clew/common';
import type { Db } from '@clew/store';
import type { Clock } from './clock.ts';
import { tokenRecord } from './tokenRecord.ts';
import { type ApiTokens, TOKEN_COLUMNS, type TokenRow } from './tokens.ts';
import { findUser } from './users.ts';

export interface TokenParts {
  readonly db: Db;
  readonly tokens: ApiTokens;
  readonly clock: Clock;
}

export function tokenHandlers({
  db,
  tokens,
  clock,
}: TokenParts): Handlers<'CreateAuthToken' | 'ListAuthTokens' | 'DeleteAuthToken'> {
  return {
    async CreateAuthToken({ body }, context) {
      const caller = requireUser(context.principal);
      const { token_name, user_id, expires_at } = body;
      const expiresAt = expires_at ? futureTime(expires_at, clock.now()) : null;
      const userId = user_id?.toLowerCase() ?? caller.userId;
      if (userId !== caller.userId && !mayManage(caller)) throw apiError('tokenCreationForOthers');
      if ((await findUser(db, userId)) === undefined) throw apiError('resourceNotFound');
      const name = token_name === undefined ? null : storableText(token_name);
      const { row, key } = await db.transaction().execute(async (transaction) => {
        const made = await tokens.create(transaction, {
          ...{ owner: { user_id: userId }, name, expiresAt },
          createdBy: caller.userId,
        });
        const fields = { token_id: made.row.id, token_name: name, user_id: userId };
        await recordSuccess(transaction, context, 'CreateAuthToken', fields);
        return made;
      });
      return { status: 200, json: { data: tokenRecord(row, key) } };
    },

    async ListAuthTokens({ rawQuery }, { principal }) {
      const caller = requireUser(principal);
      // A filter on the key would allow callers to guess it piece by piece.
      if (rawQuery.has('key')) throw apiError('columnNotFilterable', { column: 'key' });
      const { filters, sorts } = parseListQuery(rawQuery, AUTH_TOKEN_COLUMNS);
      const all = mayReadAll(caller);
      if (!all) requireOwnFilters(filters, caller.userId);
      // Writes pending uses first, so that the list is up to date.
      await tokens.writeUses();
      let query = db
        .selectFrom('auth_token')
        .select(TOKEN_COLUMNS)
        // Tokens of collectors are shown and deleted with their clients.
        .where('client_id', 'is', null)
        .where((eb) => eb.and(filterConditions(filters, NEVER_DELETED)));
      if (!all) query = query.where('user_id', '=', caller.userId);
      for (const order of sortOrders(sorts, NEVER_DELETED)) query = query.orderBy(order);
      const rows = await query.orderBy('created_at').orderBy('id').execute();
      return { status: 200, json: { data: { tokens: rows.map((row) => tokenRecord(row, '')) } } };
    },

    async DeleteAuthToken({ params }, context) {
      const caller = requireUser(context.principal);
      const token = await tokens.find(params.token_id);
      if (token === undefined || token.client_id !== null)
        throw missingFor(caller, apiError('resourceNotFound'), apiError('forbidden'));
      if (token.user_id !== caller.userId && !mayManage(caller)) {
        await recordDeletion(db, token, 'failure');
        throw apiError('forbidden');
      }
      await db.transaction().execute(async (transaction) => {
        await tokens.delete(transaction, token.id);
        await recordDeletion(transaction, token, 'success');
      });
      tokens.forget();
      return { status: 200 };

      function recordDeletion(on: Db, { id, name, user_id }: TokenRow, status: 'success' | 'failure') {
        const fields = { token_id: id, token_name: name, user_id };
        return recordAudit(on, context, { action: 'DeleteAuthToken', status, fields });
      }
    },
  };
}

/** @throws ApiError 400 for a text that is not a time, or a past time */
function futureTime(text: string, now: number): string {
  const time = parseTime(text);
  if (time === undefined) throw apiError('malformedTime', { value: text });
  if (Date.parse(time) <= now) throw apiError('expiryInPast');
  return time;
}

function mayManage(caller: UserPrincipal): boolean {
  return caller.permissions.has('auth/ManageUsers');
}

/** Auditors may read the tokens that administrators manage. */
function mayReadAll(caller: UserPrincipal): boolean {
  return mayManage(caller) || caller.permissions.has('auth/ReadUsers');
}

/** A user who sees only own tokens can filter only by this user. */
function requireOwnFilters(filters: readonly Filter[], userId: string): void {
  for (const { column, predicate, value } of filters) {
    if (column !== 'user_id') continue;
    if (predicate !== 'eq') throw apiError('tokenFilterPredicate');
    if (value !== userId) throw apiError('tokenFilterByOtherUser');
  }
}
