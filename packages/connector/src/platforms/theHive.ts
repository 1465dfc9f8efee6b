/**
 * TheHive 5: an alert for each finding, because its alerts are closed individually. An alert with the same type, source and
 * reference is refused, which shows that it exists. Rule: `docs/integration.md#thehive`.
 */
import Type from 'typebox';
import { type Alert, type AlertEvent, timeOf } from '../findings/alerts.ts';
import type { Principal, Severity } from '../findings/items.ts';
import { parsedAs } from '../schemaFaults.ts';
import { type HttpMessage, outcomeOf, PlatformHttp } from './http.ts';
import type { HostPlatform, Outcome } from './platform.ts';
import { sendParts } from './sendParts.ts';
import type { SettingsOf } from './settings.ts';

type Settings = SettingsOf<'thehive'>;

const SEVERITIES: Readonly<Record<Severity, number>> = { low: 1, moderate: 2, high: 3, critical: 4 };
const TYPE = 'attack-path';
/** Status of a default installation; other installations may use other names (unverified). */
const CLOSED = 'Ignored';
const OPEN = 'New';

const Stored = Type.Object({ _id: Type.String({ minLength: 1 }) });
const FoundAlerts = Type.Array(Stored);

export function theHivePlatform(settings: Settings): HostPlatform {
  const http = new PlatformHttp(settings);
  const base = settings.url.replace(/\/+$/, '');
  const headers = {
    authorization: `Bearer ${settings.apiKey}`,
    'content-type': 'application/json',
    ...(settings.organisation !== undefined && { 'x-organisation': settings.organisation }),
  };
  const send = (message: Omit<HttpMessage, 'headers'>, signal?: AbortSignal) =>
    http.send({ ...message, headers }, signal);

  async function find(reference: string, signal?: AbortSignal): Promise<string | undefined> {
    const query = [
      { _name: 'listAlert' },
      { _name: 'filter', _eq: { _field: 'sourceRef', _value: reference } },
      { _name: 'page', from: 0, to: 1 },
    ];
    const { status, text } = await send(
      { url: `${base}/api/v1/query`, body: JSON.stringify({ query }) },
      signal,
    );
    if (status !== 200) throw new Error(`${status} ${text.slice(0, 200)}`);
    const found = parsedAs(FoundAlerts, text);
    if (found === undefined) throw new Error(`the answer is not a list of alerts: ${text.slice(0, 200)}`);
    return found[0]?._id;
  }

  async function open(alert: Alert, event: AlertEvent, signal?: AbortSignal): Promise<Outcome> {
    const answer = await send(
      { url: `${base}/api/v1/alert`, body: JSON.stringify(alertOf(settings, alert, event)) },
      signal,
    );
    if (answer.status === 400 && /already|unique|exist/i.test(answer.text)) {
      const id = await find(referenceOf(event), signal);
      if (id !== undefined) return { result: 'duplicate', hostId: id };
    }
    const outcome = outcomeOf(answer);
    if (outcome.result !== 'delivered') return outcome;
    return { result: 'delivered', hostId: parsedAs(Stored, answer.text)?._id ?? '' };
  }

  async function change(alert: Alert, event: AlertEvent, signal?: AbortSignal): Promise<Outcome> {
    const id = await find(referenceOf(event), signal);
    // The alert was deleted there: the rest is sent again.
    if (id === undefined)
      return event.item.kind === 'close' ? { result: 'delivered' } : open(alert, event, signal);
    const { finding, reason } = event.item.payload;
    const url = `${base}/api/v1/alert/${encodeURIComponent(id)}`;
    const status =
      event.item.kind === 'close'
        ? { status: settings.closedStatus ?? CLOSED }
        : event.item.kind === 'reopen'
          ? { status: OPEN }
          : {};
    const body = { severity: SEVERITIES[finding.severity], ...status };
    const changed = outcomeOf(await send({ method: 'PATCH', url, body: JSON.stringify(body) }, signal));
    if (changed.result !== 'delivered') return changed;
    const comment = { message: `Clew: ${reason} (${event.item.eventId})` };
    const noted = outcomeOf(await send({ url: `${url}/comment`, body: JSON.stringify(comment) }, signal));
    return noted.result === 'delivered' ? { ...noted, hostId: id } : noted;
  }

  return {
    name: `TheHive at ${new URL(base).host}`,
    async test(signal) {
      const { status, text } = await send({ method: 'GET', url: `${base}/api/v1/user/current` }, signal);
      if (status !== 200) throw new Error(`${status} ${text.slice(0, 200)}`);
    },
    deliver: (alert, signal) =>
      sendParts(alert.events, {
        send: async (event) => [await (event.item.kind === 'create' ? open : change)(alert, event, signal)],
        signal,
      }),
    close: () => http.close(),
  };
}

/** Reference of the finding, not of the message: changes use it to find the alert. */
const referenceOf = ({ item }: AlertEvent): string => `${item.key.slice(0, 32)}-${item.payload.finding.id}`;

function alertOf({ tlp = 2, pap = 2 }: Settings, alert: Alert, event: AlertEvent): Record<string, unknown> {
  const { finding } = event.item.payload;
  return {
    type: TYPE,
    source: String(alert.extensions.CaseId),
    sourceRef: referenceOf(event),
    title: `${event.fields.path_title} in ${finding.environmentName}: ${finding.source?.name ?? finding.target.name}`,
    description: alert.description,
    severity: SEVERITIES[finding.severity],
    date: timeOf(finding.createdAt),
    tlp,
    pap,
    tags: [...alert.tags, finding.severity],
    externalLink: String(event.fields.RemediationURL),
    observables: [
      ...(finding.source === undefined ? [] : [observable(finding.source)]),
      observable(finding.target),
    ],
  };
}

function observable({ id, name, kind }: Principal): Record<string, unknown> {
  const isHost = kind === 'Computer';
  const dataType = isHost ? (name.includes('.') ? 'fqdn' : 'hostname') : 'other';
  return { dataType, data: name || id, tags: [kind, id] };
}
