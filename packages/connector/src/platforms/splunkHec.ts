/** The HTTP Event Collector of Splunk. Rule: `docs/integration.md#splunk`. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import Type from 'typebox';
import { type Alert, type AlertEvent, timeOf } from '../findings/alerts.ts';
import { parsedAs } from '../schemaFaults.ts';
import { chunksOf, outcomeOf, PlatformHttp, same } from './http.ts';
import { ocsfFinding } from './ocsf.ts';
import type { HostPlatform, Outcome } from './platform.ts';
import { sendParts } from './sendParts.ts';
import type { SettingsOf } from './settings.ts';

const MAX_BYTES = 1_000_000;
const DEFAULT_ACKNOWLEDGE_S = 60;
const ASK_EVERY_MS = 1_000;

const Accepted = Type.Object({ ackId: Type.Number() });
const Acknowledged = Type.Object({ acks: Type.Record(Type.String(), Type.Boolean()) });

export function splunkPlatform(settings: SettingsOf<'splunk-hec'>): HostPlatform {
  const http = new PlatformHttp(settings);
  const base = settings.url.replace(/\/+$/, '').replace(/\/services\/collector(?:\/event)?$/, '');
  const channel = randomUUID();
  const headers = {
    authorization: `Splunk ${settings.token}`,
    'content-type': 'application/json',
    ...(settings.acknowledge && { 'x-splunk-request-channel': channel }),
  };

  async function post(body: string, signal?: AbortSignal): Promise<Outcome> {
    const answer = await http.send(
      { url: `${base}/services/collector/event`, headers, body, gzip: true },
      signal,
    );
    const outcome = outcomeOf(answer);
    if (outcome.result !== 'delivered' || !settings.acknowledge) return outcome;
    const accepted = parsedAs(Accepted, answer.text);
    if (accepted === undefined)
      return { result: 'retry', reason: 'the token does not use indexer acknowledgement' };
    return acknowledged(accepted.ackId, signal);
  }

  async function acknowledged(ackId: number, signal?: AbortSignal): Promise<Outcome> {
    const until = Date.now() + (settings.acknowledgeTimeout ?? DEFAULT_ACKNOWLEDGE_S) * 1000;
    for (;;) {
      const url = `${base}/services/collector/ack?channel=${channel}`;
      const answer = await http.send({ url, headers, body: JSON.stringify({ acks: [ackId] }) }, signal);
      const known = answer.status === 200 ? parsedAs(Acknowledged, answer.text) : undefined;
      if (known?.acks[ackId] === true) return { result: 'delivered' };
      if (Date.now() >= until) return { result: 'retry', reason: 'the indexer did not acknowledge in time' };
      await delay(ASK_EVERY_MS, undefined, { signal });
    }
  }

  return {
    name: `Splunk at ${new URL(base).host}`,
    async test(signal) {
      const answer = await http.send(
        { method: 'GET', url: `${base}/services/collector/health`, headers },
        signal,
      );
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`);
    },
    async deliver(alert, signal) {
      const lines = alert.events.map((event) => JSON.stringify(messageOf(settings, alert, event)));
      return sendParts(
        chunksOf(lines, (line) => Buffer.byteLength(line), MAX_BYTES),
        {
          send: async (chunk) => same(await post(chunk.join('\n'), signal), chunk.length),
          ...{ sizeOf: ({ length }) => length, signal },
        },
      );
    },
    close: () => http.close(),
  };
}

function messageOf(
  { index, source, sourcetype, format }: SettingsOf<'splunk-hec'>,
  alert: Alert,
  event: AlertEvent,
) {
  const { item } = event;
  return {
    time: timeOf(item.payload.finding.updatedAt) / 1000,
    source: source ?? alert.product,
    sourcetype: sourcetype ?? 'attackpath:finding',
    ...(index !== undefined && { index }),
    event:
      format === 'ocsf'
        ? ocsfFinding(alert, event)
        : { ...event.fields, alert_id: alert.id, alert_name: alert.name, case_id: alert.extensions.CaseId },
    fields: { event_id: item.eventId, finding_key: item.key, severity: item.payload.finding.severity },
  };
}
