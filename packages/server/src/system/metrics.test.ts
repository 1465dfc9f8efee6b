import { JOB_STATUS } from '@clew/api';
import type { Generation } from '@clew/generation';
import { describe, expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const generation = {
  id: 7,
  collected: { nodes: { User: 3, Base: 5 }, edges: { MemberOf: 4 }, total_nodes: 5, total_edges: 4 },
  derived: { nodes: {}, edges: { DCSync: 1 }, total_nodes: 0, total_edges: 1 },
} as unknown as Generation;

const metrics = createMetrics({
  build: { version: '1.2.3', edition: 'community' },
  jobsByStatus: async () => new Map([[JOB_STATUS.complete, 2]]),
  clients: async () => ({ all: 3, neverSeen: 1, overdue: 2 }),
  webhookDeliveries: async () => ({ waiting: 5, dead: 1 }),
  collectorJobsByStatus: async () => new Map([[JOB_STATUS.failed, 4]]),
  contradictions: async () => new Map([['exposed without finding', 2]]),
  selectorTimes: async () => [{ selector: '12 Servers', zone: 'Tier Zero', ms: 1500 }],
  generation: () => generation,
  delay: () => 'ingest waits: the disk is full',
});

describe('metrics', () => {
  test('count requests, jobs, nodes and edges', async () => {
    metrics.observeRequest('Search', 'GET', 200, 0.003);
    metrics.observeRequest('Search', 'GET', 200, 0.2);
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
      ]),
    );
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes'))).toBe(true);
  });

  // https://prometheus.io/docs/practices/naming, as the checker of that project has it.
  test('have names that say what they are', async () => {
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
