/** Metrics for Prometheus: requests, upload jobs, the graph, and the process. */
import { JOB_STATUS } from '@clew/api';
import type { Generation } from '@clew/generation';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricsSources {
  readonly build: { readonly version: string; readonly edition: string };
  /** Upload jobs by status number. */
  jobsByStatus(): Promise<ReadonlyMap<number, number>>;
  generation(): Generation;
  /** Collector clients: all, those that never checked in, and those that should have been heard of. */
  clients(): Promise<{ readonly all: number; readonly neverSeen: number; readonly overdue: number }>;
  /** Jobs of collectors by status number. */
  collectorJobsByStatus(): Promise<ReadonlyMap<number, number>>;
  /** Deliveries of webhooks that wait, and that could not be delivered. */
  webhookDeliveries(): Promise<{ readonly waiting: number; readonly dead: number }>;
  /** Selectors whose queries an analysis ran, with their times. */
  selectorTimes(): Promise<
    readonly { readonly selector: string; readonly zone: string; readonly ms: number }[]
  >;
  /** Contradictions in the newest analysis, by kind; all 0 unless something is wrong. */
  contradictions(): Promise<ReadonlyMap<string, number>>;
  /** The reason why ingest or analysis waits, if it does. */
  delay(): string | undefined;
}

export interface Metrics {
  readonly contentType: string;
  observeRequest(operation: string, method: string, status: number, seconds: number): void;
  /** The text of `GET /metrics`. */
  text(): Promise<string>;
}

const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Sums of others, and gauges whose names end like those of counters.
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: 'clew_build_info',
    help: 'Always 1; the labels say the version and what runs it',
    labelNames: ['version', 'edition', 'node'],
    registers: [registry],
  }).set({ ...sources.build, node: process.versions.node }, 1);
  const requests = new Counter({
    name: 'clew_http_requests_total',
    help: 'Answered requests',
    labelNames: ['operation', 'method', 'status'],
    registers: [registry],
  });
  const latency = new Histogram({
    name: 'clew_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['operation'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  });
  registerJobs(registry, sources);
  registerGraph(registry, sources);
  new Gauge({
    name: 'clew_contradictions',
    help: 'Contradictions in the newest analysis and its plans, by kind',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [kind, count] of await sources.contradictions()) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: 'clew_selector_seconds',
    help: 'Time that the query of a zone selector took in the last analysis that ran it',
    labelNames: ['selector', 'zone'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { selector, zone, ms } of await sources.selectorTimes())
        this.set({ selector, zone }, ms / 1000);
    },
  });
  new Gauge({
    name: 'clew_worker_waiting',
    help: '1 while disk, memory, connections or the database keep ingest or analysis waiting, or its last attempts failed',
    registers: [registry],
    collect() {
      this.set(sources.delay() === undefined ? 0 : 1);
    },
  });
  return {
    contentType: registry.contentType,
    observeRequest(operation, method, status, seconds) {
      requests.inc({ operation, method, status });
      latency.observe({ operation }, seconds);
    },
    text: () => registry.metrics(),
  };
}

function registerJobs(registry: Registry, sources: MetricsSources): void {
  const byStatus = (name: string, help: string, count: MetricsSources['jobsByStatus']) =>
    new Gauge({
      name,
      help,
      labelNames: ['status'],
      registers: [registry],
      async collect() {
        const counts = await count();
        this.reset();
        for (const [status, number] of Object.entries(JOB_STATUS))
          this.set({ status }, counts.get(number) ?? 0);
      },
    });
  byStatus('clew_upload_jobs', 'Upload jobs by status', () => sources.jobsByStatus());
  byStatus('clew_collector_jobs', 'Jobs of collectors by status', () => sources.collectorJobsByStatus());
  new Gauge({
    name: 'clew_webhook_deliveries',
    help: 'Events for webhooks: waiting, and dead, which could not be delivered',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      for (const [state, count] of Object.entries(await sources.webhookDeliveries()))
        this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'clew_collector_clients',
    help: 'Collector clients: all, never_seen, and overdue, which should have been heard of for an hour',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const { all, neverSeen, overdue } = await sources.clients();
      this.set({ state: 'all' }, all);
      this.set({ state: 'never_seen' }, neverSeen);
      this.set({ state: 'overdue' }, overdue);
    },
  });
}

/** Collected and derived parts of the current generation. */
const ORIGINS = ['collected', 'derived'] as const;

function registerGraph(registry: Registry, { generation }: MetricsSources): void {
  for (const part of ['nodes', 'edges'] as const) {
    new Gauge({
      name: `clew_graph_${part}`,
      help: `${part === 'nodes' ? 'Nodes' : 'Edges'} of the current graph by kind`,
      labelNames: ['kind', 'origin'],
      registers: [registry],
      collect() {
        this.reset();
        for (const origin of ORIGINS)
          for (const [kind, count] of Object.entries(generation()[origin][part]))
            this.set({ kind, origin }, count);
      },
    });
  }
  new Gauge({
    name: 'clew_graph_generation',
    help: 'Number of the current graph',
    registers: [registry],
    collect() {
      this.set(generation().id);
    },
  });
}
