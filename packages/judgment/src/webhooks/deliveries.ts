/**
 * Webhook deliveries: stored before they are sent, sent in order, retried for three days, and kept after they are given up. Rule:
 * `docs/reference/webhooks.md#delivery`.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { guardedFetch, type Networks } from '@clew/common';
import type { SecretBox } from '@clew/identity';
import type { Db, WebhookDeliveryTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { eventsFor } from './events.ts';
import type { WebhookEvent, WebhookRow } from './webhookEvent.ts';

export type DeliveryRow = Selectable<WebhookDeliveryTable>;

/**
 * Seconds between attempts; each varies by a tenth, so that recovering receivers are not overloaded. In the first hour a pause is at most
 * two minutes, so that after a short outage everything is delivered within some minutes.
 */
export const PAUSES: readonly number[] = [
  ...[5, 30, 60, ...new Array<number>(30).fill(120)],
  ...[1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
];
const TIME_LIMIT_MS = 20_000;
/** Maximum pause in seconds that a receiver may request. */
const MAX_ASKED_PAUSE_S = 86_400;
/** Seconds after which a claimed delivery is considered abandoned by an ended process. */
const CLAIM_SECONDS = 60;
const SECRET_BYTES = 32;
const ERROR_LENGTH = 500;
/** Days for which delivered events are kept. */
const KEPT_DAYS = 30;

export interface DeliveryParts {
  readonly db: Db;
  readonly box: SecretBox;
  readonly networks: Networks;
}

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
export const secretPurpose = (id: string): string => `webhook ${id}`;

/** Finds and stores new events. @param onFault called for webhooks for which that failed */
export async function noteEvents(db: Db, onFault: (id: string, error: unknown) => void): Promise<void> {
  const ids = await db.selectFrom('webhook').select('id').where('enabled', '=', true).execute();
  for (const { id } of ids) {
    try {
      await db.transaction().execute((transaction) => noteEventsOf(transaction, id));
    } catch (error) {
      onFault(id, error);
    }
  }
}

async function noteEventsOf(transaction: Db, id: string): Promise<void> {
  const webhook = await transaction
    .selectFrom('webhook')
    .selectAll()
    .where('id', '=', id)
    .where('enabled', '=', true)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (webhook === undefined) return;
  const { events, place, overdueAt } = await eventsFor(transaction, webhook);
  for (const event of events) await storeDelivery(transaction, webhook.id, event);
  await transaction
    .updateTable('webhook')
    .set({ feed_instant: place.instant, feed_id: place.id })
    .$if(overdueAt !== null, (update) => update.set({ overdue_at: overdueAt }))
    .where('id', '=', id)
    .execute();
}

/** @returns its id; undefined if the event was already stored for the webhook */
export async function storeDelivery(
  db: Db,
  webhookId: string,
  event: WebhookEvent,
): Promise<string | undefined> {
  const { type, timestamp, data, cause } = event;
  const made = await db
    .insertInto('webhook_delivery')
    .values({
      id: randomUUID(),
      webhook_id: webhookId,
      cause,
      event_type: type,
      body: JSON.stringify({ type, timestamp, data }),
    })
    .onConflict((conflict) => conflict.columns(['webhook_id', 'cause']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id;
}

/**
 * Claims the oldest delivery of each webhook if it is due, so that no other process takes it.
 * @param webhooks ids to include or to exclude
 */
export async function claimDue(
  db: Db,
  webhooks: { readonly only: string } | { readonly except: readonly string[] },
): Promise<readonly DeliveryRow[]> {
  const isAsked =
    'only' in webhooks
      ? sql`due.webhook_id = ${webhooks.only}`
      : sql`not (due.webhook_id = any(${webhooks.except}::uuid[]))`;
  const { rows } = await sql<DeliveryRow>`
    update webhook_delivery set next_attempt_at = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
    where id in (
      select due.id from webhook_delivery due join webhook on webhook.id = webhook_id and enabled
      where due.status = 'waiting' and next_attempt_at <= clock_timestamp()
        and ${isAsked}
        -- In order: one that fails holds up those behind it.
        and not exists (select from webhook_delivery earlier where earlier.webhook_id = due.webhook_id
          and earlier.status = 'waiting' and (earlier.created_at, earlier.id) < (due.created_at, due.id))
      for update of due skip locked)
    returning *`.execute(db);
  return rows;
}

/** Attempts one delivery and stores its result, within the time limit of a call. */
export async function attemptDelivery(
  { db, box, networks }: DeliveryParts,
  delivery: DeliveryRow,
  signal: AbortSignal | undefined,
): Promise<void> {
  const webhook = await db
    .selectFrom('webhook')
    .selectAll()
    .where('id', '=', delivery.webhook_id)
    .executeTakeFirst();
  if (webhook === undefined) return;
  const outcome = await call(webhook, delivery, { box, networks, signal });
  // The next process tries again.
  if (signal?.aborted && outcome.status === null) return;
  await db.transaction().execute(async (transaction) => {
    const attempts = delivery.attempts + 1;
    const isDelivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    const isOver = isDelivered || outcome.status === 410 || attempts > PAUSES.length;
    const pause = outcome.retryAfterS ?? (PAUSES[attempts - 1] ?? 0) * (0.9 + 0.2 * Math.random());
    await transaction
      .updateTable('webhook_delivery')
      .set({
        attempts,
        status: isDelivered ? 'delivered' : isOver ? 'dead' : 'waiting',
        last_status: outcome.status,
        last_error: outcome.error,
        next_attempt_at: sql`clock_timestamp() + make_interval(secs => ${pause})`,
        ended_at: isOver ? sql`clock_timestamp()` : null,
      })
      .where('id', '=', delivery.id)
      .execute();
    if (!isOver || isDelivered) return;
    const reason =
      outcome.status === 410 ? 'the receiver answered 410 (Gone)' : `permanently failed: ${outcome.error}`;
    await transaction
      .updateTable('webhook')
      .set({ enabled: false, disabled_reason: reason, updated_at: sql`clock_timestamp()` })
      .where('id', '=', webhook.id)
      .execute();
  });
}

interface CallOutcome {
  /** `null` if there was no answer. */
  readonly status: number | null;
  readonly error: string;
  readonly retryAfterS?: number;
}

async function call(
  webhook: WebhookRow,
  { id, body }: DeliveryRow,
  { box, networks, signal }: Omit<DeliveryParts, 'db'> & { readonly signal: AbortSignal | undefined },
): Promise<CallOutcome> {
  try {
    const now = new Date();
    const secrets = currentSecrets(webhook, box);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'clew',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
    };
    const limits = {
      networks,
      setting: 'CLEW_WEBHOOK_NETWORKS',
      allowsHttp: true,
      timeLimit: TIME_LIMIT_MS,
      signal,
    } as const;
    const answer = await guardedFetch(webhook.url, { method: 'POST', headers, body }, limits);
    const { status } = answer;
    if (answer.ok) return { status, error: '' };
    const retryAfter = answer.headers.get('retry-after') ?? '';
    return {
      status,
      error: `${status} ${(await answer.text()).replaceAll(/\s+/g, ' ')}`.trim().slice(0, ERROR_LENGTH),
      ...(/^\d+$/.test(retryAfter) && { retryAfterS: Math.min(Number(retryAfter), MAX_ASKED_PAUSE_S) }),
    };
  } catch (error) {
    return { status: null, error: String((error as Error).message).slice(0, ERROR_LENGTH) };
  }
}

function currentSecrets(webhook: WebhookRow, box: SecretBox): string[] {
  const { id, secret, previous_secret, previous_secret_until } = webhook;
  const isKept = previous_secret_until !== null && Date.parse(previous_secret_until) > Date.now();
  return [secret, ...(isKept && previous_secret !== null ? [previous_secret] : [])].map((sealed) =>
    box.open(sealed, secretPurpose(id)),
  );
}

export async function pruneDeliveries(db: Db): Promise<void> {
  await db
    .deleteFrom('webhook_delivery')
    .where('status', '!=', 'waiting')
    .where(sql<boolean>`ended_at < clock_timestamp() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}

/** @returns number of webhooks by state: failing means that an event of the last day could not be delivered */
export async function countWebhooks(
  db: Db,
): Promise<Readonly<Record<'enabled' | 'failing' | 'disabled', number>>> {
  const { rows } = await sql<Record<'enabled' | 'failing' | 'disabled', number>>`
    select count(*) filter (where enabled)::integer as enabled,
      count(*) filter (where enabled and exists (select from webhook_delivery delivery
        where delivery.webhook_id = webhook.id and delivery.status = 'dead'
          and delivery.ended_at > clock_timestamp() - interval '1 day'))::integer as failing,
      count(*) filter (where not enabled and disabled_reason <> '')::integer as disabled
    from webhook`.execute(db);
  return rows[0] ?? { enabled: 0, failing: 0, disabled: 0 };
}

/** @returns when replaced secrets expire: a receiver that still uses one rejects events from then on */
export async function replacedSecretEnds(
  db: Db,
): Promise<readonly { readonly name: string; readonly at: Date }[]> {
  const rows = await db
    .selectFrom('webhook')
    .select(['name', 'previous_secret_until'])
    .where('enabled', '=', true)
    .where('previous_secret_until', '>', sql<string>`clock_timestamp()`)
    .execute();
  return rows.map(({ name, previous_secret_until }) => ({ name, at: new Date(previous_secret_until ?? 0) }));
}

export async function countDeliveries(db: Db): Promise<{ readonly waiting: number; readonly dead: number }> {
  const { rows } = await sql<{ waiting: number; dead: number }>`
    select count(*) filter (where status = 'waiting')::integer as waiting,
      count(*) filter (where status = 'dead')::integer as dead from webhook_delivery`.execute(db);
  return rows[0] ?? { waiting: 0, dead: 0 };
}
