import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunReport } from '@clew/connector';
import { expect, test } from 'vitest';
import { writeConnectorMetrics } from './connectorMetrics.ts';

const REPORT: RunReport = {
  ...{ status: 'partial', created: 1, updated: 0, closed: 0, milliseconds: 2500 },
  delivery: { delivered: 1, duplicates: 0, rejected: 0 },
  health: { waiting: 4, rejected: 2, open: 9 },
  ...{ notRead: [], notReported: [], faults: [] },
};

test('the metrics of the last connector run are a file that is replaced atomically', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clew-metrics-'));
  try {
    const file = join(directory, 'clew.prom');
    await writeConnectorMetrics(
      file,
      { ...REPORT, status: 'complete' },
      { now: new Date(1_000), intervalMs: 600_000 },
    );
    await writeConnectorMetrics(file, REPORT, { now: new Date(1_800_000_000_000), intervalMs: 600_000 });
    expect(readdirSync(directory)).toEqual(['clew.prom']);
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.at(-1)).toBe('');
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
      'clew_connector_last_run_timestamp_seconds 1800000000',
      'clew_connector_last_complete_run_timestamp_seconds 1',
      'clew_connector_run_interval_seconds 600',
      'clew_connector_last_run{status="complete"} 0',
      'clew_connector_last_run{status="partial"} 1',
      'clew_connector_last_run{status="failed"} 0',
      'clew_connector_last_run_seconds 2.5',
      'clew_connector_waiting_records 4',
      'clew_connector_refused_records 2',
      'clew_connector_open_records 9',
    ]);
    // Each metric has its help and its type once.
    for (const what of ['HELP', 'TYPE']) {
      const named = lines.filter((line) => line.startsWith(`# ${what} `)).map((line) => line.split(' ')[2]);
      expect(new Set(named).size).toBe(8);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
