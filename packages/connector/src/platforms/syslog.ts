/**
 * Syslog (RFC 5424) over TCP with octet counting (RFC 6587) or TLS (RFC 5425), the message in the Common Event Format
 * or OCSF. Syslog has no acknowledgements: a message counts as delivered if it was written and the connection stayed
 * open.
 */
import { readFile } from 'node:fs/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls, rootCertificates } from 'node:tls';
import { type Alert, type AlertEvent, PRODUCT, timeOf, VENDOR } from '../findings/alerts.ts';
import type { Severity } from '../findings/items.ts';
import { ocsfFinding } from './ocsf.ts';
import type { HostPlatform } from './platform.ts';
import type { SettingsOf } from './settings.ts';

type Settings = SettingsOf<'syslog'>;

const PORTS = { tcp: 601, tls: 6514 } as const;
/** `local0`. */
const FACILITY = 16;
const APP = 'clew';
const SYSLOG_SEVERITIES: Readonly<Record<Severity, number>> = { critical: 2, high: 3, moderate: 4, low: 5 };
const CEF_SEVERITIES: Readonly<Record<Severity, number>> = { critical: 10, high: 8, moderate: 5, low: 3 };
/** Precedes UTF-8 text (RFC 5424, 6.4). */
const BOM = '\ufeff';
/** A refusing receiver closes the connection at once. */
const SETTLE_MS = 200;

export function syslogPlatform(settings: Settings): HostPlatform {
  const transport = settings.transport ?? 'tls';
  const port = settings.port ?? PORTS[transport];
  const timeout = (settings.timeout ?? 30) * 1000;
  return {
    name: `syslog at ${settings.host}:${port}`,
    async test(signal) {
      const socket = await connect(settings, transport, port, timeout, signal);
      socket.destroy();
    },
    async deliver(alert, signal) {
      const socket = await connect(settings, transport, port, timeout, signal);
      try {
        await send(socket, alert.events.map((event) => frame(settings, alert, event)).join(''), timeout);
      } finally {
        socket.destroy();
      }
      return alert.events.map(({ item }) => ({ result: 'delivered', hostId: item.eventId }));
    },
    async close() {},
  };
}

async function connect(
  { host, verifyTls = true, caBundle, clientCertificate, clientKey }: Settings,
  transport: 'tcp' | 'tls',
  port: number,
  timeout: number,
  signal?: AbortSignal,
): Promise<Socket> {
  const file = async (path: string | undefined) => (path === undefined ? undefined : await readFile(path));
  const socket =
    transport === 'tcp'
      ? connectTcp({ host, port })
      : connectTls({
          ...{ host, port, rejectUnauthorized: verifyTls },
          servername: host,
          ca:
            caBundle === undefined ? undefined : [...rootCertificates, (await readFile(caBundle)).toString()],
          cert: await file(clientCertificate),
          key: await file(clientKey),
        });
  const abort = () => socket.destroy(new Error('aborted'));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(transport === 'tcp' ? 'connect' : 'secureConnect', resolve);
      socket.once('error', reject);
      socket.setTimeout(timeout, () => socket.destroy(new Error(`no answer from ${host} in time`)));
    });
  } catch (error) {
    socket.destroy();
    throw new Error(`no connection to ${host}:${port}: ${(error as Error).message}`);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  return socket;
}

async function send(socket: Socket, text: string, timeout: number): Promise<void> {
  let isEnding = false;
  const late = delay(timeout, undefined, { ref: false }).then(() => {
    throw new Error('the receiver does not accept data');
  });
  late.catch(() => {});
  const closed = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    // The receiver answers our end of the stream with its own, and may refuse before that.
    socket.once('close', () =>
      isEnding ? resolve() : reject(new Error('the receiver closed the connection')),
    );
  });
  closed.catch(() => {});
  const sent = new Promise<void>((resolve, reject) =>
    socket.write(text, (error) => (error ? reject(error) : resolve())),
  );
  await Promise.race([sent, closed, late]);
  const settled = delay(SETTLE_MS);
  await Promise.race([settled, closed, late]);
  isEnding = true;
  socket.end();
  await Promise.race([closed, delay(SETTLE_MS), late]);
}

/** Prefixes the length, so that a line break in the text does not end the message. */
function frame(settings: Settings, alert: Alert, event: AlertEvent): string {
  const message = syslogMessage(settings, alert, event);
  return `${Buffer.byteLength(message)} ${message}`;
}

export function syslogMessage(
  {
    facility = FACILITY,
    hostname: named,
    format = 'cef',
  }: Pick<Settings, 'facility' | 'hostname' | 'format'>,
  alert: Alert,
  event: AlertEvent,
): string {
  const { finding } = event.item.payload;
  const priority = facility * 8 + SYSLOG_SEVERITIES[finding.severity];
  const timestamp = new Date(timeOf(finding.updatedAt)).toISOString();
  const id = finding.findingType.replaceAll(/[^!-~]/g, '_').slice(0, 32);
  const text = format === 'ocsf' ? JSON.stringify(ocsfFinding(alert, event)) : cefMessage(alert, event);
  return `<${priority}>1 ${timestamp} ${(named ?? hostname()).slice(0, 255)} ${APP} ${process.pid} ${id} - ${BOM}${text}`;
}

const header = (text: string, most: number): string =>
  text
    .replaceAll(/[\r\n]+/g, ' ')
    .slice(0, most)
    .replaceAll(/[\\|]/g, '\\$&');
const extension = (value: unknown): string =>
  String(value).replaceAll(/[\\=]/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n');

export function cefMessage(alert: Alert, { item, fields }: AlertEvent): string {
  const { finding, status, reason } = item.payload;
  const { source, target } = finding;
  const named = (name: 'cs' | 'cn' | 'cfp', entries: readonly (readonly [string, string | number])[]) =>
    entries.flatMap(([label, value], at) => [
      [`${name}${at + 1}`, value],
      [`${name}${at + 1}Label`, label],
    ]) as [string, string | number][];
  const pairs: readonly (readonly [string, string | number])[] = [
    ['externalId', item.eventId],
    ['rt', timeOf(finding.updatedAt)],
    ...(source === undefined
      ? []
      : ([
          ['suser', source.name],
          ['suid', source.id],
        ] as const)),
    ['duser', target.name],
    ['duid', target.id],
    ...(target.kind === 'Computer' ? [['dhost', target.name] as const] : []),
    ...named('cs', [
      ['Environment', finding.environmentName],
      ['Zone', finding.zoneName],
      ['FindingId', String(finding.id)],
      ['FindingType', finding.findingType],
      ['FindingKey', item.key],
      ['CaseId', String(alert.extensions.CaseId)],
    ]),
    ...named('cn', [
      ['ExposureCount', finding.exposureCount],
      ['ImpactCount', finding.impactCount],
    ]),
    ...named('cfp', [
      ['ExposurePercentage', finding.exposurePercentage],
      ['ImpactPercentage', finding.impactPercentage],
    ]),
    ['act', item.kind],
    ['outcome', status],
    ['reason', reason],
    ['request', String(fields.RemediationURL)],
  ];
  const head = [
    header(VENDOR, 63),
    header(PRODUCT, 63),
    '1',
    header(finding.findingType, 1023),
    header(String(fields.path_title), 512),
    CEF_SEVERITIES[finding.severity],
  ].join('|');
  const body = pairs
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${extension(value)}`);
  return `CEF:0|${head}|${body.join(' ')}`;
}
