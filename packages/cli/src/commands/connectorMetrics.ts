/**
 * Metrics of the last connector run, as a file for the textfile collector of the Prometheus node exporter, because a connector has no port
 * to scrape. The file is replaced atomically, as required by that collector.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { RunReport } from '@clew/connector';

const COMPLETE = 'clew_connector_last_complete_run_timestamp_seconds';

export interface ConnectorRun {
  readonly now: Date;
  /** Interval between runs. */
  readonly intervalMs: number;
}

const STATUSES: readonly RunReport['status'][] = ['complete', 'partial', 'failed'];

/** @throws Error from the file system */
export async function writeConnectorMetrics(
  file: string,
  report: RunReport,
  run: ConnectorRun,
): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  const before = await readFile(file, 'utf8').catch(() => '');
  const complete = Number(new RegExp(`^${COMPLETE} (\\S+)$`, 'm').exec(before)?.[1] ?? 0);
  await writeFile(draft, connectorMetrics(report, run, complete), { mode: 0o644 });
  await rename(draft, file);
}

/** @param complete end of the last complete run before this one, in seconds since the epoch; 0 without one */
export function connectorMetrics(
  { status, health, milliseconds }: RunReport,
  { now, intervalMs }: ConnectorRun,
  complete: number,
): string {
  const ended = now.getTime() / 1000;
  const gauge = (
    name: string,
    help: string,
    values: readonly (readonly [labels: string, value: number])[],
  ) => [
    `# HELP clew_connector_${name} ${help}`,
    `# TYPE clew_connector_${name} gauge`,
    ...values.map(([labels, value]) => `clew_connector_${name}${labels} ${value}`),
  ];
  return [
    ...gauge('last_run_timestamp_seconds', 'Time when the last run ended', [['', ended]]),
    ...gauge(
      'last_complete_run_timestamp_seconds',
      'Time when the last complete run ended; 0 before the first one',
      [['', status === 'complete' ? ended : complete]],
    ),
    ...gauge('run_interval_seconds', 'Configured time between runs', [['', intervalMs / 1000]]),
    ...gauge(
      'last_run',
      '1 for the status of the last run',
      STATUSES.map((each) => [`{status="${each}"}`, each === status ? 1 : 0]),
    ),
    ...gauge('last_run_seconds', 'Duration of the last run', [['', milliseconds / 1000]]),
    ...gauge('waiting_records', 'Records waiting for the platform', [['', health.waiting]]),
    ...gauge('refused_records', 'Records that the platform refused permanently', [['', health.rejected]]),
    ...gauge('open_records', 'Delivered findings that are open', [['', health.open]]),
    '',
  ].join('\n');
}
