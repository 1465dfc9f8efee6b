/** Sources of metric values, which are read on each scrape. */
import type { Generation } from '@clew/generation';

export interface MetricsSources {
  readonly build: { readonly version: string; readonly edition: string };
  /** Upload jobs by status number. */
  jobsByStatus(): Promise<ReadonlyMap<number, number>>;
  generation(): Generation;
  /** Collector clients: all, those that never checked in, and overdue ones. */
  clients(): Promise<{ readonly all: number; readonly neverSeen: number; readonly overdue: number }>;
  /** Jobs of collectors by status number. */
  collectorJobsByStatus(): Promise<ReadonlyMap<number, number>>;
  /** Pending and dead webhook deliveries. */
  webhookDeliveries(): Promise<{ readonly waiting: number; readonly dead: number }>;
  /** Webhooks by state: `failing` ones have a dead delivery in the last day, `disabled` ones were disabled by the service. */
  webhooks(): Promise<Readonly<Record<'enabled' | 'failing' | 'disabled', number>>>;
  /** Selectors whose queries were analyzed, with their durations. */
  selectorTimes(): Promise<
    readonly { readonly selector: string; readonly zone: string; readonly ms: number }[]
  >;
  /** Contradictions in the latest analysis, by kind; all 0 without errors. */
  contradictions(): Promise<ReadonlyMap<string, number>>;
  /** Collected environments of the current graph. */
  environments(): Promise<readonly EnvironmentTimes[]>;
  /** Pending uploads, past ingests, and the steps of the latest analysis. */
  workload(): Promise<Workload>;
  /** Failed sign-ins of the last hour, by their action in the audit log. */
  failedSignIns(): Promise<ReadonlyMap<string, number>>;
  /** Connections of the pool that requests share. */
  connections(): Readonly<Record<'busy' | 'idle' | 'awaited', number>>;
  /** Completion time of the last backup; `undefined` without one. */
  lastBackup(): Promise<Date | undefined>;
  /** Certificates and secrets that expire, with the time. */
  expiries(): Promise<readonly Expiry[]>;
  /** Why ingest or analysis is waiting, if it is. */
  delay(): string | undefined;
}

export interface EnvironmentTimes {
  /** Several environments may have the same name. */
  readonly id: string;
  readonly environment: string;
  /** Time of its newest collection. */
  readonly collectedAt: Date | undefined;
  /** Publication time of its latest analysis. */
  readonly analyzedAt: Date | undefined;
}

export interface Workload {
  /** Bytes of files whose jobs are waiting for ingest or being read. */
  readonly queuedBytes: number;
  /** Seconds since the oldest of these jobs was complete; 0 if none is waiting. */
  readonly oldestSeconds: number;
  /** Totals of all ingested jobs since the installation. */
  readonly ingested: { readonly jobs: number; readonly objects: number; readonly seconds: number };
  /** Seconds per step of the latest analysis, by name. */
  readonly steps: ReadonlyMap<string, number>;
}

export interface Expiry {
  readonly kind: 'saml_certificate' | 'webhook_secret';
  readonly name: string;
  readonly at: Date;
}
