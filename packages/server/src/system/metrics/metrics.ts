/** Metrics for Prometheus: requests and refusals, work, the graph, and the process. */
import type { ErrorCode } from '@clew/api';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type BoltMetrics, registerBolt } from './boltMetrics.ts';
import { registerGraph } from './graphMetrics.ts';
import type { MetricsSources } from './metricSources.ts';
import { registerUpkeep } from './upkeepMetrics.ts';
import { registerWork } from './workMetrics.ts';

export interface Metrics {
  readonly contentType: string;
  observeRequest(operation: string, method: string, status: number, seconds: number): void;
  /** Counts an answer caused by a limit of the service (413, 429, 503, 507). */
  observeRefusal(limit: ErrorCode): void;
  readonly bolt: BoltMetrics;
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
  // Totals of others, and gauges with names that end like counters.
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: 'clew_build_info',
    help: 'Always 1; the labels contain the version and its runtime',
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
  const refusals = new Counter({
    name: 'clew_refused_requests_total',
    help: 'Requests refused by a limit, by the code of the error',
    labelNames: ['limit'],
    registers: [registry],
  });
  registerWork(registry, sources);
  registerGraph(registry, sources);
  registerUpkeep(registry, sources);
  return {
    contentType: registry.contentType,
    observeRequest(operation, method, status, seconds) {
      requests.inc({ operation, method, status });
      latency.observe({ operation }, seconds);
    },
    observeRefusal: (limit) => refusals.inc({ limit }),
    bolt: registerBolt(registry),
    text: () => registry.metrics(),
  };
}
