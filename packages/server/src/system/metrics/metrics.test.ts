import { JOB_STATUS } from '@clew/api';
import type { Generation } from '@clew/generation';
import { describe, expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const generation = {
  id: 7,
  collected: { nodes: { User: 3, Base: 5 }, edges: { MemberOf: 4 }, total_nodes: 5, total_edges: 4 },
  derived: { nodes: {}, edges: { DCSync: 1 }, total_nodes: 0, total_edges: 1 },
} as unknown as Generation;

let backup: Date | undefined = new Date(1_700_000_000_000);

const metrics = createMetrics({
  build: { version: '1.2.3', edition: 'community' },
  jobsByStatus: async () => new Map([[JOB_STATUS.complete, 2]]),
  clients: async () => ({ all: 3, neverSeen: 1, overdue: 2 }),
  webhookDeliveries: async () => ({ waiting: 5, dead: 1 }),
  collectorJobsByStatus: async () => new Map([[JOB_STATUS.failed, 4]]),
  contradictions: async () => new Map([['exposed without finding', 2]]),
  selectorTimes: async () => [{ selector: '12 Servers', zone: 'Tier Zero', ms: 1500 }],
  webhooks: async () => ({ enabled: 4, failing: 1, disabled: 2 }),
  environments: async () => [
    {
      ...{ id: 'S-1', environment: 'ONE.EXAMPLE' },
      ...{ collectedAt: new Date(1_800_000_000_500), analyzedAt: undefined },
    },
    // Another environment with the same name.
    {
      ...{ id: 'S-2', environment: 'ONE.EXAMPLE' },
      ...{ collectedAt: new Date(1_600_000_000_000), analyzedAt: undefined },
    },
  ],
  workload: async () => ({
    ...{ queuedBytes: 4096, oldestSeconds: 12.5, ingested: { jobs: 3, objects: 900, seconds: 1.5 } },
    steps: new Map([['findings', 0.25]]),
  }),
  failedSignIns: async () => new Map([['LoginAttempt', 7]]),
  connections: () => ({ busy: 3, idle: 2, awaited: 1 }),
  lastBackup: async () => backup,
  expiries: async () => [{ kind: 'saml_certificate', name: 'corp', at: new Date(1_900_000_000_000) }],
  generation: () => generation,
  delay: () => 'ingest waits: the disk is full',
});

describe('metrics', () => {
  test('count requests, jobs, nodes and edges', async () => {
    metrics.observeRequest('Search', 'GET', 200, 0.003);
    metrics.observeRequest('Search', 'GET', 200, 0.2);
    metrics.observeRefusal('tooManyRequests');
    const lines = (await metrics.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'clew_http_requests_total{operation="Search",method="GET",status="200"} 2',
        'clew_http_request_duration_seconds_bucket{le="0.005",operation="Search"} 1',
        'clew_http_request_duration_seconds_count{operation="Search"} 2',
        'clew_upload_jobs{status="complete"} 2',
        'clew_upload_jobs{status="running"} 0',
        'clew_graph_nodes{kind="User",origin="collected"} 3',
        'clew_graph_edges{kind="MemberOf",origin="collected"} 4',
        'clew_graph_edges{kind="DCSync",origin="derived"} 1',
        'clew_graph_generation 7',
        `clew_build_info{version="1.2.3",edition="community",node="${process.versions.node}"} 1`,
        'clew_worker_waiting 1',
        'clew_collector_jobs{status="failed"} 4',
        'clew_collector_clients{state="overdue"} 2',
        'clew_webhook_deliveries{state="dead"} 1',
        'clew_selector_seconds{selector="12 Servers",zone="Tier Zero"} 1.5',
        'clew_contradictions{kind="exposed without finding"} 2',
        'clew_webhooks{state="failing"} 1',
        'clew_environment_collected_timestamp_seconds{environment="ONE.EXAMPLE",id="S-1"} 1800000000.5',
        'clew_environment_collected_timestamp_seconds{environment="ONE.EXAMPLE",id="S-2"} 1600000000',
        'clew_upload_queue_bytes 4096',
        'clew_upload_queue_oldest_seconds 12.5',
        'clew_ingested_jobs_total 3',
        'clew_ingested_objects_total 900',
        'clew_ingest_seconds_total 1.5',
        'clew_analysis_step_seconds{step="findings"} 0.25',
        'clew_failed_sign_ins{action="LoginAttempt"} 7',
        'clew_database_connections{state="awaited"} 1',
        'clew_last_backup_timestamp_seconds 1700000000',
        'clew_expiry_timestamp_seconds{kind="saml_certificate",name="corp"} 1900000000',
        'clew_refused_requests_total{limit="tooManyRequests"} 1',
      ]),
    );
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes'))).toBe(true);
  });

  test('omit unknown values, and show current totals each time', async () => {
    backup = undefined;
    const text = await metrics.text();
    expect(text).not.toMatch(/^clew_last_backup_timestamp_seconds /m);
    expect(text).not.toContain('clew_environment_analyzed_timestamp_seconds{');
    expect(text).toContain('\nclew_ingested_jobs_total 3\n');
  });

  // https://prometheus.io/docs/practices/naming, as checked by that project's linter.
  test('have descriptive names', async () => {
    const text = await metrics.text();
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name, type }));
    expect(types.length).toBeGreaterThan(20);
    const helps = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name));
    for (const { name, type } of types) {
      expect([name, /^[a-z][a-z0-9_]*$/.test(name), helps.has(name)]).toEqual([name, true, true]);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      expect([name, /_(?:count|sum|bucket|info)$/.test(name)]).toEqual([name, /_info$/.test(name)]);
      expect([name, /_(?:milliseconds|ms|minutes|hours|kilobytes|kb|mb|percent)(?:_|$)/.test(name)]).toEqual([
        name,
        false,
      ]);
    }
  });
});
