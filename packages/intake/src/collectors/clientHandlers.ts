/** Operations of users on collector clients: register, list, update, delete, renew tokens. */

import { randomUUID } from 'node:crypto';
import { CLIENT_COLUMNS, type CollectorClient } from '@clew/api';
import {
  apiError,
  type Handlers,
  NEVER_DELETED,
  parseListQuery,
  recordSuccess,
  requireWholeView,
  storableText,
  tablePage,
} from '@clew/common';
import { type ApiTokens, tokenRecord } from '@clew/identity';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { HYDRATED, type Hydration } from './collectionScope.ts';
import { cancelJobsOf, lockClient } from './collectorJobs.ts';
import { addEvent } from './eventHandlers.ts';
import { type ClientRow, clientRecords } from './records.ts';

export interface ClientParts {
  readonly db: Db;
  readonly tokens: ApiTokens;
}

type Operations =
  | 'ListClients'
  | 'CreateClient'
  | 'GetClient'
  | 'UpdateClient'
  | 'DeleteClient'
  | 'ReplaceClientToken';

export function clientHandlers({ db, tokens }: ClientParts): Handlers<Operations> {
  return {
    async ListClients({ query, rawQuery }, context) {
      requireWholeView(context);
      const { skip, limit } = query;
      const { count, rows } = await tablePage(db, {
        table: 'collector_client_view',
        list: parseListQuery(rawQuery, CLIENT_COLUMNS),
        page: query,
        references: NEVER_DELETED,
        order: [sql.ref('created_at'), sql.ref('id')],
      });
      const data = await clientRecords(db, rows, query);
      return { status: 200, json: { count, skip, limit, data } };
    },

    async CreateClient({ body }, context) {
      const user = requireWholeView(context);
      const id = randomUUID();
      const name = storableText(body.name.trim());
      if (name === '') throw apiError('invalidBody', { reason: 'name must not be blank' });
      const key = await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('collector_client')
          .values({ id, name, type: body.type, domain_controller: body.domain_controller || null })
          .execute();
        const made = await tokens.create(transaction, {
          owner: { client_id: id },
          name,
          createdBy: user.userId,
          expiresAt: null,
        });
        const client = { id, type: body.type };
        for (const event of body.events ?? []) await addEvent(transaction, client, event);
        const fields = { client_id: id, client_name: name, type: body.type, token_id: made.row.id };
        await recordSuccess(transaction, context, 'CreateClient', fields);
        return made.key;
      });
      return { status: 200, json: { data: await shownClient(db, id, HYDRATED, new Map([[id, key]])) } };
    },

    async GetClient({ params, query }, context) {
      requireWholeView(context);
      return { status: 200, json: { data: await shownClient(db, params.client_id, query) } };
    },

    async UpdateClient({ params, body }, context) {
      requireWholeView(context);
      const id = params.client_id;
      await db.transaction().execute(async (transaction) => {
        const client = await lockClient(transaction, id);
        const name = body.name === undefined ? client.name : storableText(body.name.trim());
        if (name === '') throw apiError('invalidBody', { reason: 'name must not be blank' });
        const { domain_controller = client.domain_controller } = body;
        await transaction
          .updateTable('collector_client')
          .set({
            name,
            domain_controller: domain_controller || null,
            updated_at: sql`clock_timestamp()`,
          })
          .where('id', '=', id)
          .execute();
        const fields = { client_id: id, client_name: name, domain_controller };
        await recordSuccess(transaction, context, 'UpdateClient', fields);
      });
      tokens.forget();
      return { status: 200, json: { data: await shownClient(db, id, HYDRATED) } };
    },

    async DeleteClient({ params }, context) {
      requireWholeView(context);
      const id = params.client_id;
      await db.transaction().execute(async (transaction) => {
        const { name } = await lockClient(transaction, id);
        await cancelJobsOf(transaction, id);
        await transaction.deleteFrom('collector_client').where('id', '=', id).execute();
        const fields = { client_id: id, client_name: name };
        await recordSuccess(transaction, context, 'DeleteClient', fields);
      });
      tokens.forget();
      return { status: 200 };
    },

    async ReplaceClientToken({ params }, context) {
      const user = requireWholeView(context);
      const id = params.client_id;
      const { row, key } = await db.transaction().execute(async (transaction) => {
        const { name } = await lockClient(transaction, id);
        await transaction.deleteFrom('auth_token').where('client_id', '=', id).execute();
        const made = await tokens.create(transaction, {
          owner: { client_id: id },
          name,
          createdBy: user.userId,
          expiresAt: null,
        });
        const fields = { client_id: id, client_name: name, token_id: made.row.id };
        await recordSuccess(transaction, context, 'ReplaceClientToken', fields);
        return made;
      });
      tokens.forget();
      return { status: 200, json: { data: tokenRecord(row, key) } };
    },
  };
}

/** @throws ApiError 404 for an unknown client */
export async function shownClient(
  db: Db,
  id: string,
  hydration: Hydration,
  keys?: ReadonlyMap<string, string>,
): Promise<CollectorClient> {
  const [client] = await clientRecords(db, [await findClient(db, id)], hydration, keys);
  return client;
}

/** @throws ApiError 404 for an unknown client */
export async function findClient(db: Db, id: string): Promise<ClientRow> {
  const row = await db
    .selectFrom('collector_client_view')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw apiError('resourceNotFound');
  return row;
}
