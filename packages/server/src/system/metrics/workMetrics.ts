/** Metrics of work: uploads and their queue, collectors, steps of analysis, and webhooks. */
import { JOB_STATUS } from '@clew/api';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { MetricsSources, Workload } from './metricSources.ts';
import { sharedAnswer } from './sharedAnswer.ts';

export function registerWork(registry: Registry, sources: MetricsSources): void {
  registerJobs(registry, sources);
  registerWorkload(registry, sources);
  new Gauge({
    name: 'clew_worker_waiting',
    help: '1 while disk, memory, connections or the database keep ingest or analysis waiting, or the last attempts failed',
    registers: [registry],
    collect() {
      this.set(sources.delay() === undefined ? 0 : 1);
    },
  });
  new Gauge({
    name: 'clew_selector_seconds',
    help: 'Duration of the query of a zone selector in the last analysis that ran it',
    labelNames: ['selector', 'zone'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { selector, zone, ms } of await sources.selectorTimes())
        this.set({ selector, zone }, ms / 1000);
    },
  });
  const byState = (name: string, help: string, count: () => Promise<Readonly<Record<string, number>>>) =>
    new Gauge({
      ...{ name, help, labelNames: ['state'], registers: [registry] },
      async collect() {
        for (const [state, value] of Object.entries(await count())) this.set({ state }, value);
      },
    });
  byState(
    'clew_webhook_deliveries',
    'Webhook events: waiting, and dead (permanently undelivered)',
    async () => ({ ...(await sources.webhookDeliveries()) }),
  );
  byState(
    'clew_webhooks',
    'Webhooks: enabled, failing (lost an event in the last day), and disabled by the service',
    () => sources.webhooks(),
  );
  byState(
    'clew_collector_clients',
    'Collector clients: all, never_seen, and overdue (more than an hour late)',
    async () => {
      const { all, neverSeen, overdue } = await sources.clients();
      return { all, never_seen: neverSeen, overdue };
    },
  );
}

function registerJobs(registry: Registry, sources: MetricsSources): void {
  const byStatus = (name: string, help: string, count: MetricsSources['jobsByStatus']) =>
    new Gauge({
      ...{ name, help, labelNames: ['status'], registers: [registry] },
      async collect() {
        const counts = await count();
        this.reset();
        for (const [status, number] of Object.entries(JOB_STATUS))
          this.set({ status }, counts.get(number) ?? 0);
      },
    });
  byStatus('clew_upload_jobs', 'Upload jobs by status', () => sources.jobsByStatus());
  byStatus('clew_collector_jobs', 'Collector jobs by status', () => sources.collectorJobsByStatus());
}

function registerWorkload(registry: Registry, sources: MetricsSources): void {
  const workload = sharedAnswer(() => sources.workload());
  const gauge = (name: string, help: string, value: (of: Workload) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        this.set(value(await workload()));
      },
    });
  const counter = (name: string, help: string, value: (of: Workload) => number) =>
    new Counter({
      ...{ name, help, registers: [registry] },
      async collect() {
        const total = value(await workload());
        this.reset();
        this.inc(total);
      },
    });
  gauge('clew_upload_queue_bytes', 'Bytes of files whose jobs are not ingested yet', (of) => of.queuedBytes);
  gauge(
    'clew_upload_queue_oldest_seconds',
    'Seconds since the oldest job that is not ingested was complete; 0 without one',
    (of) => of.oldestSeconds,
  );
  counter('clew_ingested_jobs_total', 'Upload jobs that were ingested', ({ ingested }) => ingested.jobs);
  counter('clew_ingested_objects_total', 'Objects of ingested jobs', ({ ingested }) => ingested.objects);
  counter('clew_ingest_seconds_total', 'Seconds of ingest', ({ ingested }) => ingested.seconds);
  new Gauge({
    name: 'clew_analysis_step_seconds',
    help: 'Seconds of each step of the latest analysis',
    labelNames: ['step'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [step, seconds] of (await workload()).steps) this.set({ step }, seconds);
    },
  });
}
