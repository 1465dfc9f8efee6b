/** `clew webhooks` and `clew webhook ...`: webhooks and failed deliveries. */
import { SEVERITIES, WEBHOOK_EVENT_TYPES, type Webhook, type WebhookRequest } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { formatTable } from '../terminal/table.ts';
import { formatCount, jsonText, printable, writeJson } from '../terminal/text.ts';
import { shownTime } from '../terminal/time.ts';

export interface WebhooksOptions extends ConnectionOptions {
  readonly json?: boolean;
}

const COLUMNS = [
  { title: 'NAME' },
  { title: 'STATE' },
  { title: 'EVENTS' },
  { title: 'LAST DELIVERED' },
  { title: 'WAITING', align: 'right' },
  { title: 'DEAD', align: 'right' },
  { title: 'ADDRESS' },
] as const;

export async function webhooks(context: Context, options: WebhooksOptions): Promise<void> {
  const { out, err, signal } = context;
  const { data } = await (await connect(context, options)).call('ListWebhooks', {}, { signal });
  if (options.json) return writeJson(out, data);
  if (data.length === 0) err.write('No webhooks; "clew webhook add NAME ADDRESS" creates one.\n');
  const rows = data.map((webhook) => [
    webhook.name,
    webhook.enabled ? 'on' : webhook.disabled_reason === '' ? 'off' : `off: ${webhook.disabled_reason}`,
    webhook.event_types.join(', '),
    webhook.last_delivered_at === null ? 'never' : shownTime(webhook.last_delivered_at),
    webhook.waiting,
    webhook.dead,
    webhook.url,
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

export interface AddWebhookOptions extends ConnectionOptions {
  readonly events?: readonly string[];
  readonly severity?: string;
  readonly exposureAbove?: number;
  readonly environments?: readonly string[];
  readonly json?: boolean;
}

const DEFAULT_EVENTS = ['finding.opened', 'finding.resolved'] as const;

export async function addWebhook(
  context: Context,
  name: string,
  url: string,
  { events = DEFAULT_EVENTS, severity, exposureAbove, environments, ...options }: AddWebhookOptions,
): Promise<void> {
  const { out, err, signal } = context;
  const unknown = events.find((event) => !WEBHOOK_EVENT_TYPES.some((type) => type === event));
  if (unknown !== undefined)
    throw new CommandError(
      `--events contains ${unknown}; available: ${WEBHOOK_EVENT_TYPES.join(', ')}`,
      EXIT.usage,
    );
  if (severity !== undefined && !SEVERITIES.some((each) => each === severity))
    throw new CommandError(`--severity must be one of ${SEVERITIES.join(', ')}`, EXIT.usage);
  const body = {
    ...{ name, url, event_types: [...events] },
    ...(severity !== undefined && { minimum_severity: severity }),
    ...(exposureAbove !== undefined && { exposure_threshold: exposureAbove / 100 }),
    ...(environments !== undefined && { environments: [...environments] }),
  } as WebhookRequest;
  const client = await connect(context, options);
  const { data } = await client.call('CreateWebhook', { body }, { signal });
  if (options.json) return writeJson(out, data);
  err.write(`Requests to ${printable(name)} are signed with this secret, which is shown only once:\n`);
  out.write(`${data.secret}\n`);
}

export const testWebhook: ThingCommand<WebhooksOptions> = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenWebhook(client, name, signal);
  const { data } = await client.call('TestWebhook', { params: { webhook_id: id } }, { signal });
  if (options.json) context.out.write(jsonText(data));
  else
    err.write(`A test event is being sent; "clew webhook deliveries ${printable(name)}" shows the result.\n`);
};

export const removeWebhook: ThingCommand = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenWebhook(client, name, signal);
  await client.call('DeleteWebhook', { params: { webhook_id: id } }, { signal });
  err.write(`${printable(name)} no longer receives events.\n`);
};

const DELIVERY_COLUMNS = [
  { title: 'TIME' },
  { title: 'EVENT' },
  { title: 'STATUS' },
  { title: 'TRIES', align: 'right' },
  { title: 'LAST RESPONSE' },
] as const;

export const webhookDeliveries: ThingCommand<WebhooksOptions> = async (context, name, options) => {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenWebhook(client, name, signal);
  const input = { params: { webhook_id: id }, query: { limit: 50 } };
  const { data, count } = await client.call('ListWebhookDeliveries', input, { signal });
  if (options.json) return writeJson(out, data);
  const rows = data.map(({ created_at, event_type, status, attempts, last_status, last_error }) => [
    ...[shownTime(created_at), event_type, status, attempts],
    last_error || (last_status ?? ''),
  ]);
  out.write(formatTable(out, DELIVERY_COLUMNS, rows));
  if (count > data.length)
    err.write(`The latest ${data.length} of ${formatCount(count)} deliveries are shown.\n`);
};

/** @throws CommandError unless exactly one webhook has the name or id */
async function chosenWebhook(client: ClewClient, name: string, signal: AbortSignal): Promise<Webhook> {
  const { data } = await client.call('ListWebhooks', {}, { signal });
  const found = data.filter((one) => one.id === name || one.name.toLowerCase() === name.toLowerCase());
  if (found.length === 1) return found[0] as Webhook;
  const known = found.length === 0 ? data.map((one) => one.name) : found.map((one) => one.id);
  const fault = found.length === 0 ? 'there is no webhook named' : 'several webhooks are named';
  throw new CommandError(
    `${fault} ${printable(name)}; available: ${printable(known.join(', ')) || 'none'}`,
    EXIT.usage,
  );
}
