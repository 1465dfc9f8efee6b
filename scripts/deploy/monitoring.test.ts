/** Tests that the alerts, the dashboard and the page about metrics use existing metrics, and that the alerts are raised when required. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics, type MetricsSources } from '@clew/server';
import { describe, expect, it } from 'vitest';
import { connectorMetrics } from '../../packages/cli/src/commands/connectorMetrics.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'deploy/prometheus');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const GRAPH = { nodes: { User: 1 }, edges: { MemberOf: 1 }, total_nodes: 1, total_edges: 1 };
const SOURCES = {
  build: { version: '1.2.3', edition: 'community' },
  jobsByStatus: async () => new Map(),
  collectorJobsByStatus: async () => new Map(),
  clients: async () => ({ all: 0, neverSeen: 0, overdue: 0 }),
  webhookDeliveries: async () => ({ waiting: 0, dead: 0 }),
  webhooks: async () => ({ enabled: 0, failing: 0, disabled: 0 }),
  selectorTimes: async () => [{ selector: '1 One', zone: 'Tier Zero', ms: 1 }],
  contradictions: async () => new Map([['counts', 0]]),
  environments: async () => [
    { id: 'S-1', environment: 'ONE', collectedAt: new Date(), analyzedAt: new Date() },
  ],
  workload: async () => ({
    ...{ queuedBytes: 0, oldestSeconds: 0, ingested: { jobs: 0, objects: 0, seconds: 0 } },
    steps: new Map([['findings', 1]]),
  }),
  failedSignIns: async () => new Map([['LoginAttempt', 0]]),
  connections: () => ({ busy: 0, idle: 0, awaited: 0 }),
  lastBackup: async () => new Date(),
  expiries: async () => [{ kind: 'saml_certificate', name: 'one', at: new Date() }],
  generation: () => ({ id: 1, collected: GRAPH, derived: GRAPH }),
  delay: () => undefined,
} as unknown as MetricsSources;

/** The answer of `GET /metrics` with a value for each metric, and the file of the connector. */
async function allMetrics(): Promise<string> {
  const metrics = createMetrics(SOURCES);
  metrics.observeRequest('Search', 'GET', 200, 0.1);
  metrics.observeRefusal('tooManyRequests');
  metrics.bolt.observeQuery('answered', 0.1);
  metrics.bolt.observeRefusal('total');
  const report = { status: 'complete', health: { waiting: 0, rejected: 0, open: 0 }, milliseconds: 1 };
  return `${await metrics.text()}\n${connectorMetrics(report as never, { now: new Date(), intervalMs: 1 }, 0)}`;
}

/** Series as queries use them: those of a histogram end in `_bucket`, `_count` and `_sum`. */
const seriesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/^((?:clew|process|nodejs)_\w+)[{ ]/gm)].map(([, name]) => name as string));
const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b((?:clew|process|nodejs)_[a-z0-9_]+)/g)].map(([, name]) => name as string)),
];
const promtool = (...args: string[]) =>
  spawnSync('promtool', args, { encoding: 'utf8', timeout: 60_000, cwd: FOLDER });
const hasPromtool = promtool('--version').status === 0;
if (!hasPromtool) process.stderr.write('promtool not found: alerts are read, but not run.\n');

describe('monitoring', () => {
  it.each([
    ['alerts', 'deploy/prometheus/clew-alerts.yaml'],
    ['the dashboard', 'deploy/grafana/clew-dashboard.json'],
  ])('%s uses only existing metrics', async (_, path) => {
    const series = seriesIn(await allMetrics());
    const named = namesIn(read(path));
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !series.has(name))).toEqual([]);
  });

  it('every metric is in docs/operations.md, and no other', async () => {
    const types = [...(await allMetrics()).matchAll(/^# TYPE (clew_\w+) /gm)].map(
      ([, name]) => name as string,
    );
    expect(types.length).toBeGreaterThan(25);
    const page = read('docs/operations.md');
    expect(types.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    expect(namesIn(page).filter((name) => name.startsWith('clew_') && !types.includes(name))).toEqual([]);
  });

  it('every metric is in an alert or in the dashboard', async () => {
    const shown = namesIn(
      read('deploy/prometheus/clew-alerts.yaml') + read('deploy/grafana/clew-dashboard.json'),
    );
    const types = [...(await allMetrics()).matchAll(/^# TYPE (clew_\w+) /gm)].map(
      ([, name]) => name as string,
    );
    const isShown = (type: string) =>
      shown.some((name) => name.replace(/_(?:bucket|count|sum)$/, '') === type);
    expect(types.filter((type) => !shown.includes(type) && !isShown(type))).toEqual([]);
  });

  it('each alert has a test in which it is raised, and one in which it is not', () => {
    const alerts = [...read('deploy/prometheus/clew-alerts.yaml').matchAll(/- alert: (\w+)/g)].map(
      ([, name]) => name,
    );
    const tests = read('deploy/prometheus/clew-alerts.test.yaml');
    const raised = [...tests.matchAll(/alertname: (\w+)\n\s+eval_time: \S+\n\s+exp_alerts:\n/g)].map(
      ([, name]) => name,
    );
    const quiet = [...tests.matchAll(/alertname: (\w+), eval_time: \S+, exp_alerts: \[\]/g)].map(
      ([, name]) => name,
    );
    expect(raised).toEqual(alerts);
    expect(quiet).toEqual(alerts);
  });

  it.skipIf(!hasPromtool)('promtool accepts alerts, their tests, and all metrics', async () => {
    for (const args of [
      ['check', 'rules', 'clew-alerts.yaml'],
      ['test', 'rules', 'clew-alerts.test.yaml'],
    ]) {
      const { status, stdout, stderr } = promtool(...args);
      expect([args, status, status === 0 ? '' : stdout + stderr]).toEqual([args, 0, '']);
    }
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      ...{ input: await allMetrics(), encoding: 'utf8', timeout: 60_000 },
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});
