/** Webhooks over HTTP: create, list, change, remove, new secrets, tests, deliveries. */

import { randomUUID } from 'node:crypto';
import {
  SEVERITIES,
  WEBHOOK_COLUMNS,
  WEBHOOK_DELIVERY_COLUMNS,
  type Webhook,
  type WebhookDelivery,
  type WebhookRequest,
} from '@clew/api';
import {
  apiError,
  type Handlers,
  parseListQuery,
  type RequestContext,
  recordPage,
  recordSuccess,
  requireWholeView,
  storableText,
  tablePage,
} from '@clew/common';
import { type Db, namedObjectIds } from '@clew/store';
import { sql } from 'kysely';
import { endOfFeed } from '../findings/changes.ts';
import {
  type DeliveryParts,
  type DeliveryRow,
  newSecret,
  secretPurpose,
  storeDelivery,
} from './deliveries.ts';
import type { WebhookRow } from './webhookEvent.ts';

type Operations =
  | 'ListWebhooks'
  | 'CreateWebhook'
  | 'GetWebhook'
  | 'UpdateWebhook'
  | 'PatchWebhook'
  | 'GetWebhookDelivery'
  | 'DeleteWebhook'
  | 'ReplaceWebhookSecret'
  | 'TestWebhook'
  | 'ListWebhookDeliveries'
  | 'RetryWebhookDelivery';

const MAX_WEBHOOKS = 100;
const PREVIOUS_SECRET_HOURS = 24;

export function webhookHandlers({ db, box }: Pick<DeliveryParts, 'db' | 'box'>): Handlers<Operations> {
  const audit = (on: Db, context: RequestContext, action: string, id: string, more: object = {}) =>
    recordSuccess(on, context, action, { webhook_id: id, ...more });

  return {
    async ListWebhooks(input, context) {
      requireWholeView(context);
      const rows = await db.selectFrom('webhook').selectAll().orderBy('created_at').orderBy('id').execute();
      return { status: 200, json: recordPage(await records(db, rows), WEBHOOK_COLUMNS, input) };
    },

    async CreateWebhook({ body }, context) {
      const user = requireWholeView(context);
      const id = randomUUID();
      const secret = newSecret();
      const columns = await columnsOf(db, body);
      await db.transaction().execute(async (transaction) => {
        const { count } = await transaction
          .selectFrom('webhook')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_WEBHOOKS)
          throw apiError('invalidBody', { reason: `there are already ${MAX_WEBHOOKS} webhooks` });
        // A repeated request creates one webhook; concurrent requests are serialized.
        await sql`select pg_advisory_xact_lock(hashtext('webhooks'))`.execute(transaction);
        const same = await transaction
          .selectFrom('webhook')
          .select('name')
          .where('name', '=', columns.name)
          .where('url', '=', columns.url)
          .executeTakeFirst();
        if (same !== undefined) throw apiError('duplicateWebhook', { name: same.name });
        // Existing findings are not reported.
        const place = await endOfFeed(transaction);
        await transaction
          .insertInto('webhook')
          .values({
            ...columns,
            id,
            secret: box.seal(secret, secretPurpose(id)),
            feed_instant: place.instant,
            feed_id: place.id,
            created_by: user.name,
          })
          .execute();
        await audit(transaction, context, 'CreateWebhook', id, { name: columns.name, url: columns.url });
      });
      return { status: 201, json: { data: { ...(await shown(db, id)), secret } } };
    },

    async GetWebhook({ params }, context) {
      requireWholeView(context);
      return { status: 200, json: { data: await shown(db, params.webhook_id) } };
    },

    async GetWebhookDelivery({ params }, context) {
      requireWholeView(context);
      const row = await findDelivery(db, params.webhook_id, params.delivery_id);
      return { status: 200, json: { data: deliveryRecord(row) } };
    },

    async PatchWebhook({ params, body }, context) {
      requireWholeView(context);
      const id = params.webhook_id;
      const before = await shown(db, id);
      const columns = await columnsOf(db, { ...before, ...body });
      await db.transaction().execute(async (transaction) => {
        await find(transaction, id);
        await transaction
          .updateTable('webhook')
          .set({
            ...columns,
            // An enabled webhook has no reason for being disabled.
            ...(columns.enabled && { disabled_reason: '' }),
            updated_at: sql`clock_timestamp()`,
          })
          .where('id', '=', id)
          .execute();
        await audit(transaction, context, 'UpdateWebhook', id, { name: columns.name, url: columns.url });
      });
      return { status: 200, json: { data: await shown(db, id) } };
    },

    async UpdateWebhook({ params, body }, context) {
      requireWholeView(context);
      const id = params.webhook_id;
      const columns = await columnsOf(db, body);
      await db.transaction().execute(async (transaction) => {
        await find(transaction, id);
        // A webhook that was off gets the events since then, combined like one change.
        await transaction
          .updateTable('webhook')
          .set({ ...columns, disabled_reason: '', updated_at: sql`clock_timestamp()` })
          .where('id', '=', id)
          .execute();
        await audit(transaction, context, 'UpdateWebhook', id, { name: columns.name, url: columns.url });
      });
      return { status: 200, json: { data: await shown(db, id) } };
    },

    async DeleteWebhook({ params }, context) {
      requireWholeView(context);
      const id = params.webhook_id;
      await db.transaction().execute(async (transaction) => {
        const { name } = await find(transaction, id);
        await transaction.deleteFrom('webhook').where('id', '=', id).execute();
        await audit(transaction, context, 'DeleteWebhook', id, { name });
      });
      return { status: 204 };
    },

    async ReplaceWebhookSecret({ params }, context) {
      requireWholeView(context);
      const id = params.webhook_id;
      const secret = newSecret();
      await db.transaction().execute(async (transaction) => {
        const before = await find(transaction, id);
        await transaction
          .updateTable('webhook')
          .set({
            secret: box.seal(secret, secretPurpose(id)),
            previous_secret: before.secret,
            previous_secret_until: sql`clock_timestamp() + make_interval(hours => ${PREVIOUS_SECRET_HOURS})`,
            updated_at: sql`clock_timestamp()`,
          })
          .where('id', '=', id)
          .execute();
        await audit(transaction, context, 'ReplaceWebhookSecret', id);
      });
      return { status: 200, json: { data: { ...(await shown(db, id)), secret } } };
    },

    async TestWebhook({ params }, context) {
      const user = requireWholeView(context);
      await find(db, params.webhook_id);
      const id = await storeDelivery(db, params.webhook_id, {
        type: 'webhook.test',
        timestamp: new Date().toISOString(),
        cause: `test ${randomUUID()}`,
        data: { asked_by: user.name },
      });
      if (id === undefined) throw new Error('a test was not stored');
      return { status: 202, json: { data: deliveryRecord(await findDelivery(db, params.webhook_id, id)) } };
    },

    async ListWebhookDeliveries({ params, query, rawQuery }, context) {
      requireWholeView(context);
      await find(db, params.webhook_id);
      const { skip, limit } = query;
      const { count, rows } = await tablePage(db, {
        table: 'webhook_delivery',
        list: parseListQuery(rawQuery, WEBHOOK_DELIVERY_COLUMNS),
        page: query,
        conditions: [sql<boolean>`webhook_id = ${params.webhook_id}`],
        order: [sql`created_at desc`, sql.ref('id')],
      });
      return { status: 200, json: { count, skip, limit, data: rows.map(deliveryRecord) } };
    },

    async RetryWebhookDelivery({ params }, context) {
      requireWholeView(context);
      const { webhook_id, delivery_id } = params;
      await db.transaction().execute(async (transaction) => {
        await findDelivery(transaction, webhook_id, delivery_id);
        await transaction
          .updateTable('webhook_delivery')
          .set({ status: 'waiting', attempts: 0, next_attempt_at: sql`clock_timestamp()`, ended_at: null })
          .where('id', '=', delivery_id)
          .execute();
        await audit(transaction, context, 'RetryWebhookDelivery', webhook_id, { delivery_id });
      });
      return { status: 202, json: { data: deliveryRecord(await findDelivery(db, webhook_id, delivery_id)) } };
    },
  };
}

/** @throws ApiError 400 */
async function columnsOf(db: Db, request: WebhookRequest) {
  const name = storableText(request.name.trim());
  if (name === '') throw apiError('invalidBody', { reason: 'name must not be blank' });
  const url = URL.parse(request.url);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw apiError('invalidBody', { reason: 'url must be an address that begins with https://' });
  if (url.username !== '' || url.password !== '')
    throw apiError('invalidBody', { reason: 'url must not contain a user or password' });
  if (request.event_types.includes('posture.worsened') && (request.exposure_threshold ?? null) === null)
    throw apiError('invalidBody', { reason: 'exposure_threshold is required for posture.worsened' });
  return {
    name,
    url: url.href,
    event_types: [...new Set(request.event_types)],
    environments: request.environments == null ? null : await namedObjectIds(db, request.environments),
    minimum_severity: SEVERITIES.indexOf(request.minimum_severity ?? 'low'),
    exposure_threshold: request.exposure_threshold ?? null,
    enabled: request.enabled ?? true,
  };
}

async function find(db: Db, id: string): Promise<WebhookRow> {
  const row = await db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw apiError('resourceNotFound');
  return row;
}

async function findDelivery(db: Db, webhookId: string, id: string): Promise<DeliveryRow> {
  const row = await db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('id', '=', id)
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst();
  if (row === undefined) throw apiError('resourceNotFound');
  return row;
}

async function shown(db: Db, id: string): Promise<Webhook> {
  const [record] = await records(db, [await find(db, id)]);
  return record as Webhook;
}

async function records(db: Db, rows: readonly WebhookRow[]): Promise<Webhook[]> {
  const { rows: figures } = await sql<{
    webhook_id: string;
    waiting: number;
    dead: number;
    last: string | null;
  }>`
    select webhook_id, count(*) filter (where status = 'waiting')::integer as waiting,
      count(*) filter (where status = 'dead')::integer as dead,
      max(ended_at) filter (where status = 'delivered') as last
    from webhook_delivery where webhook_id = any (${rows.map(({ id }) => id)}::uuid[]) group by webhook_id`.execute(
    db,
  );
  return rows.map((row) => {
    const figure = figures.find(({ webhook_id }) => webhook_id === row.id);
    return {
      id: row.id,
      name: row.name,
      url: row.url,
      event_types: row.event_types as Webhook['event_types'],
      environments: row.environments,
      minimum_severity: SEVERITIES[row.minimum_severity] ?? 'low',
      exposure_threshold: row.exposure_threshold,
      enabled: row.enabled,
      disabled_reason: row.disabled_reason,
      secret: '',
      waiting: figure?.waiting ?? 0,
      dead: figure?.dead ?? 0,
      last_delivered_at: figure?.last ?? null,
      created_by: row.created_by,
      created_at: row.created_at,
      updated_at: row.updated_at,
    };
  });
}

const deliveryRecord = ({ cause: _, body: __, ...row }: DeliveryRow): WebhookDelivery => ({ ...row });
