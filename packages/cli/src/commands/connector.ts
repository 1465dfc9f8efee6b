/** `clew connector ...`: delivers findings to a security platform, or repairs to a ticket system, once or every few minutes. */

import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ConnectorLog,
  type ConnectorSettings,
  type DestinationSettings,
  isWorkSystem,
  type OpenConnector,
  openConnector,
  type RunReport,
  readSettings,
  runConnector,
  SettingsError,
  StateError,
  type TestReport,
  type TicketTestReport,
  testConnector,
  testTickets,
} from '@clew/connector';
import { counted, jsonFault } from '@clew/model';
import type { Context, Environment } from '../context.ts';
import { CommandError, describeFailure, EXIT } from '../failure.ts';
import { jsonText, printable } from '../terminal/text.ts';
import { writeConnectorMetrics } from './connectorMetrics.ts';

export interface ConnectorOptions {
  readonly config: string;
  readonly json?: boolean;
  /** File for the metrics of each run, for `run` and `watch`. */
  readonly metrics?: string;
}

/** Exit code if a part is left to the next run. */
const PARTIAL = 3;
/** Settings of host platforms that contain files or folders. */
const PLATFORM_PATHS: readonly string[] = ['directory', 'caBundle', 'clientCertificate', 'clientKey'];
/** Maximum pause after a failed run. */
const MAX_PAUSE_MS = 3_600_000;

/** Runs once. @returns 0 complete, 1 failed, 2 invalid configuration, 3 partial */
export function runOnce(context: Context, options: ConnectorOptions): Promise<number> {
  return withConnector(context, options, async (connector, settings) => {
    const report = await run(context, connector, settings);
    await write(context, options, report, settings);
    return exitCode(report);
  });
}

/** Runs until interrupted, with increasing pauses after failed runs. */
export function watch(context: Context, options: ConnectorOptions): Promise<number> {
  const { signal, err } = context;
  return withConnector(context, options, async (connector, settings) => {
    let failures = 0;
    while (!signal.aborted) {
      const begun = Date.now();
      const report = await run(context, connector, settings).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (report === undefined) break;
      await write(context, options, report, settings);
      failures = report.status === 'failed' ? failures + 1 : 0;
      const pause = Math.min(
        settings.runEveryMs * 2 ** Math.min(failures, 6),
        Math.max(MAX_PAUSE_MS, settings.runEveryMs),
      );
      const rest = Math.max(begun + pause - Date.now(), 0);
      err.write(`next run in ${Math.ceil(rest / 1000)} s\n`);
      await delay(rest, undefined, { signal }).catch(() => {});
    }
    return 0;
  });
}

/** Tests both ends without side effects: stores and delivers nothing. */
export function test(context: Context, options: ConnectorOptions): Promise<number> {
  const { err, signal } = context;
  return withConnector(context, options, async ({ client, platform }, settings) => {
    if (isWorkSystem(platform))
      writeTicketTest(context, options, await testTickets({ settings, client, signal }));
    else writeAlertTest(context, options, await testConnector({ settings, client, signal, log: logOn(err) }));
    try {
      await platform.test(signal);
      err.write(`${printable(`${platform.name}: ${platform.untested ?? 'ready'}`)}\n`);
      return 0;
    } catch (error) {
      err.write(`${printable(`${platform.name}: ${(error as Error).message}`)}\n`);
      return EXIT.failed;
    }
  });
}

function writeAlertTest({ out }: Context, { json }: ConnectorOptions, report: TestReport): void {
  const { environment, findingType, alert } = report;
  if (json) out.write(jsonText(alert ?? null));
  else if (alert === undefined)
    out.write(printable(`connected; ${environment} has no finding that matches the configuration\n`));
  else
    out.write(
      `${printable(`${alert.name} (${findingType}): ${counted(alert.events.length, 'event')}, severity ${alert.severity}`)}\n`,
    );
}

function writeTicketTest({ out, err }: Context, { json }: ConnectorOptions, report: TicketTestReport): void {
  const { planCount, repairCount, unknown, ticket } = report;
  for (const name of unknown) err.write(`${printable(`selectedPlans: no started plan is named ${name}`)}\n`);
  if (json) out.write(jsonText(ticket ?? null));
  else
    out.write(
      `${printable(
        [
          `connected; ${counted(planCount, 'started plan')}, ${counted(repairCount, 'repair')} to do`,
          ...(ticket === undefined ? [] : [`the first: ${ticket.title}`]),
        ].join('; '),
      )}\n`,
    );
}

/** Shows pending records, tickets with the last reason, and refused records. */
export function connectorStatus(context: Context, options: ConnectorOptions): Promise<number> {
  return withConnector(context, options, async (connector, settings) => {
    const state = await connector.state({ readOnly: true });
    const health = await (isWorkSystem(connector.platform) ? state.tickets.health() : state.health(settings));
    const rejected = await state.rejectedItems();
    const postponed = isWorkSystem(connector.platform) ? await state.tickets.postponed() : undefined;
    if (options.json)
      context.out.write(jsonText({ ...health, ...(postponed !== undefined && { postponed }), rejected }));
    else {
      context.out.write(
        `delivered and open  ${health.open}\nwaiting             ${health.waiting}\nrefused             ${health.rejected}\n`,
      );
      for (const { event_id, kind, title, attempts, reason } of postponed ?? [])
        context.out.write(
          `${printable(`${event_id} (${kind}) waits after ${attempts} attempts: ${title}: ${reason}`)}\n`,
        );
      for (const { event_id, kind, reason } of rejected)
        context.out.write(`${printable(`${event_id} (${kind}): ${reason}`)}\n`);
    }
    return 0;
  });
}

async function withConnector(
  { env, directory }: Context,
  { config }: ConnectorOptions,
  work: (connector: OpenConnector, settings: ConnectorSettings) => Promise<number>,
): Promise<number> {
  try {
    const settings = await loadSettings(env, resolve(directory, config));
    await using connector = await openConnector(settings);
    return await work(connector, settings);
  } catch (error) {
    if (error instanceof SettingsError) throw new CommandError(error.message, EXIT.usage);
    if (error instanceof StateError) throw new CommandError(error.message);
    throw error;
  }
}

/** Paths are relative to the file. Secrets may be references: `env:NAME`, `file:PATH`. */
async function loadSettings(env: Environment, path: string): Promise<ConnectorSettings> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandError(describeFailure(error), EXIT.usage);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${jsonFault(text, error)}`, EXIT.usage);
  }
  const base = dirname(path);
  const files = new Map<string, string>();
  for (const [, name] of text.matchAll(/"file:([^"]+)"/g)) {
    const content = await readFile(resolve(base, name ?? ''), 'utf8').catch(() => undefined);
    if (content !== undefined) files.set(`file:${name}`, content.trim());
  }
  const settings = readSettings(value, (reference) =>
    reference.startsWith('env:') ? env[reference.slice('env:'.length)] : files.get(reference),
  );
  const at = (file: string): string => (isAbsolute(file) ? file : resolve(base, file));
  const { state, platform, caBundle } = settings;
  return {
    ...settings,
    caBundle: caBundle && at(caBundle),
    state: 'directory' in state ? { directory: at(state.directory) } : state,
    platform: withPaths(platform, at),
  };
}

function withPaths(platform: DestinationSettings, at: (file: string) => string): DestinationSettings {
  const placed = Object.entries(platform).map(([name, value]) =>
    PLATFORM_PATHS.includes(name) ? [name, at(String(value))] : [name, value],
  );
  return Object.fromEntries(placed);
}

function logOn(err: Context['err']): ConnectorLog {
  const line = (text: string) => err.write(`${printable(text)}\n`);
  return { info: line, warn: line };
}

async function run(
  { err, signal }: Context,
  connector: OpenConnector,
  settings: ConnectorSettings,
): Promise<RunReport> {
  const { client, platform } = connector;
  const state = await connector.state();
  return runConnector({ settings, client, platform, state, signal, log: logOn(err) });
}

async function write(
  { out, err, directory }: Context,
  { json, metrics }: ConnectorOptions,
  report: RunReport,
  { runEveryMs: intervalMs }: ConnectorSettings,
): Promise<void> {
  out.write(json ? jsonText(report, 0) : `${describe(report)}\n`);
  if (metrics === undefined) return;
  // Findings are still delivered.
  await writeConnectorMetrics(resolve(directory, metrics), report, { now: new Date(), intervalMs }).catch(
    (error: Error) => {
      err.write(`${printable(`the metrics file cannot be written: ${describeFailure(error)}`)}\n`);
    },
  );
}

function describe(report: RunReport): string {
  const { status, created, updated, closed, marked, delivery, health, milliseconds } = report;
  const delivered = delivery.delivered + delivery.duplicates;
  return [
    `${status}: ${created} new, ${updated} changed, ${closed} closed`,
    `${delivered} delivered, ${health.waiting} waiting, ${health.rejected} refused`,
    ...(marked === undefined ? [] : [`${marked} marks set or removed`]),
    `${(milliseconds / 1000).toFixed(1)} s`,
  ].join('; ');
}

const exitCode = ({ status }: RunReport): number =>
  status === 'complete' ? 0 : status === 'partial' ? PARTIAL : EXIT.failed;
