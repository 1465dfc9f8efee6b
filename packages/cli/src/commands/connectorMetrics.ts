/**
 * The last run of the connector as a file for the textfile collector of Prometheus' node exporter: a connector has no port that could be
 * asked. The file is replaced whole, as that collector demands.
 */
import { rename, writeFile } from 'node:fs/promises';
import type { RunReport } from '@clew/connector';

const STATUSES: readonly RunReport['status'][] = ['complete', 'partial', 'failed'];

/** @throws Error of the file system */
export async function writeConnectorMetrics(file: string, report: RunReport, now: Date): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  await writeFile(draft, connectorMetrics(report, now), { mode: 0o644 });
  await rename(draft, file);
}

export function connectorMetrics({ status, health, milliseconds }: RunReport, now: Date): string {
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
    ...gauge('last_run_timestamp_seconds', 'When the last run ended', [['', now.getTime() / 1000]]),
    ...gauge(
      'last_run',
      '1 for the status of the last run',
      STATUSES.map((each) => [`{status="${each}"}`, each === status ? 1 : 0]),
    ),
    ...gauge('last_run_seconds', 'Time of the last run', [['', milliseconds / 1000]]),
    ...gauge('waiting_records', 'Records that wait for the platform', [['', health.waiting]]),
    ...gauge('refused_records', 'Records that the platform refused for good', [['', health.rejected]]),
    ...gauge('open_records', 'Findings that were delivered and are open', [['', health.open]]),
    '',
  ].join('\n');
}
