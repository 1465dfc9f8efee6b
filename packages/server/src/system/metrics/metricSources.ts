/** Where the values of metrics come from: each is read when the metrics are asked for. */
import type { Generation } from '@clew/generation';

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
  /** Webhooks by state: `failing` ones have a dead delivery of the last day, `disabled` ones were switched off by the service. */
  webhooks(): Promise<Readonly<Record<'enabled' | 'failing' | 'disabled', number>>>;
  /** Selectors whose queries an analysis ran, with their times. */
  selectorTimes(): Promise<
    readonly { readonly selector: string; readonly zone: string; readonly ms: number }[]
  >;
  /** Contradictions in the newest analysis, by kind; all 0 unless something is wrong. */
  contradictions(): Promise<ReadonlyMap<string, number>>;
  /** Environments of the current graph that are collected. */
  environments(): Promise<readonly EnvironmentTimes[]>;
  /** Uploads that wait to be read, what was read so far, and the steps of the newest analysis. */
  workload(): Promise<Workload>;
  /** Failed sign-ins of the last hour, by their action in the audit log. */
  failedSignIns(): Promise<ReadonlyMap<string, number>>;
  /** Connections of the pool that requests share. */
  connections(): Readonly<Record<'busy' | 'idle' | 'awaited', number>>;
  /** When the last backup was complete; nothing where none was ever made. */
  lastBackup(): Promise<Date | undefined>;
  /** Certificates and secrets that end, with the time. */
  expiries(): Promise<readonly Expiry[]>;
  /** The reason why ingest or analysis waits, if it does. */
  delay(): string | undefined;
}

export interface EnvironmentTimes {
  /** Several environments may have one name. */
  readonly id: string;
  readonly environment: string;
  /** When its newest collection saw it. */
  readonly collectedAt: Date | undefined;
  /** When the newest analysis of it was published. */
  readonly analyzedAt: Date | undefined;
}

export interface Workload {
  /** Bytes of files whose jobs wait for ingest or are being read. */
  readonly queuedBytes: number;
  /** Seconds since the oldest of these jobs was complete; 0 where none waits. */
  readonly oldestSeconds: number;
  /** Sums over all jobs that were ingested since the installation began. */
  readonly ingested: { readonly jobs: number; readonly objects: number; readonly seconds: number };
  /** Seconds of each step of the newest analysis, by its name. */
  readonly steps: ReadonlyMap<string, number>;
}

export interface Expiry {
  readonly kind: 'saml_certificate' | 'webhook_secret';
  readonly name: string;
  readonly at: Date;
}
