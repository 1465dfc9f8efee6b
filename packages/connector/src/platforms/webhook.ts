/** Delivers to a receiver of Standard Webhooks: one signed call per event. Rule: `docs/integration.md#webhook`. */
import { Webhook } from 'standardwebhooks';
import type { Alert, AlertEvent } from '../findings/alerts.ts';
import type { ItemKind } from '../findings/items.ts';
import { outcomeOf, PlatformHttp } from './http.ts';
import { ocsfFinding } from './ocsf.ts';
import type { HostPlatform } from './platform.ts';
import { sendParts } from './sendParts.ts';
import type { SettingsOf } from './settings.ts';

/** In larger bodies, long texts are removed. */
const MAX_BYTES = 20_000;
const TYPES: Readonly<Record<ItemKind, string>> = {
  create: 'finding.created',
  reopen: 'finding.reopened',
  update: 'finding.updated',
  close: 'finding.closed',
};

export function webhookPlatform(settings: SettingsOf<'webhook'>): HostPlatform {
  const http = new PlatformHttp(settings);
  const { length } = Buffer.from(settings.secret.slice('whsec_'.length), 'base64');
  if (length < 24 || length > 64)
    throw new Error('the secret of the webhook must be whsec_ and 24 to 64 bytes in base64');
  const signer = new Webhook(settings.secret);

  async function send(id: string, body: string, signal?: AbortSignal) {
    const now = new Date();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signer.sign(id, now, body),
    };
    return outcomeOf(await http.send({ url: settings.url, headers, body }, signal));
  }

  return {
    name: `webhook at ${new URL(settings.url).host}`,
    async test(signal) {
      const body = JSON.stringify({ type: 'connector.test', timestamp: new Date().toISOString(), data: {} });
      const outcome = await send(`test_${Date.now()}`, body, signal);
      if (outcome.result !== 'delivered')
        throw new Error('reason' in outcome ? outcome.reason : outcome.result);
    },
    deliver: (alert, signal) =>
      sendParts(alert.events, {
        send: async (event) => [await send(event.item.eventId, bodyOf(settings, alert, event), signal)],
        signal,
      }),
    close: () => http.close(),
  };
}

function bodyOf({ format }: SettingsOf<'webhook'>, alert: Alert, event: AlertEvent): string {
  const { item } = event;
  const whole = (data: object): string =>
    JSON.stringify({ type: TYPES[item.kind], timestamp: item.payload.finding.updatedAt, data });
  if (format === 'ocsf') return whole(ocsfFinding(alert, event));
  const data = {
    ...event.fields,
    alert_id: alert.id,
    alert_name: alert.name,
    case_id: alert.extensions.CaseId,
  };
  const body = whole(data);
  if (Buffer.byteLength(body) <= MAX_BYTES) return body;
  return whole({ ...data, details: '', LongRemediation: '' });
}
