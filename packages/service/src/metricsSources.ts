/** Assembles metrics from the packages that provide them. */
import { type Config, VERSION } from '@clew/common';
import { failedSignIns, lastBackup, samlCertificateEnds } from '@clew/identity/handlers';
import { countClients, countCollectorJobs } from '@clew/intake/handlers';
import {
  countDeliveries,
  countWebhooks,
  environmentTimes,
  replacedSecretEnds,
} from '@clew/judgment/handlers';
import {
  contradictionsOf,
  countJobsByStatus,
  type Expiry,
  type MetricsSources,
  selectorTimes,
  workload,
} from '@clew/server';
import type { Database, Db } from '@clew/store';
import type { WorkerThread } from '@clew/worker';

interface Parts {
  readonly database: Database;
  readonly config: Pick<Config, 'edition'>;
  readonly worker: Pick<WorkerThread, 'generations' | 'obstacle'>;
}

export function metricsSources({ database: { db, pool }, config, worker }: Parts): MetricsSources {
  const { generations } = worker;
  return {
    build: { version: VERSION, edition: config.edition },
    jobsByStatus: () => countJobsByStatus(db),
    generation: () => generations.current(),
    delay: () => worker.obstacle,
    clients: () => countClients(db),
    collectorJobsByStatus: () => countCollectorJobs(db),
    webhookDeliveries: () => countDeliveries(db),
    webhooks: () => countWebhooks(db),
    selectorTimes: () => selectorTimes(db),
    contradictions: () => contradictionsOf(db),
    environments: () => environmentTimes(db, generations.current()),
    workload: () => workload(db),
    failedSignIns: () => failedSignIns(db),
    lastBackup: () => lastBackup(db),
    connections: () => ({
      ...{ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, awaited: pool.waitingCount },
    }),
    expiries: () => expiriesOf(db),
  };
}

async function expiriesOf(db: Db): Promise<readonly Expiry[]> {
  const of = (kind: Expiry['kind'], ends: Awaited<ReturnType<typeof samlCertificateEnds>>): Expiry[] =>
    ends.map(({ name, at }) => ({ kind, name, at }));
  return [
    ...of('saml_certificate', await samlCertificateEnds(db)),
    ...of('webhook_secret', await replacedSecretEnds(db)),
  ];
}
