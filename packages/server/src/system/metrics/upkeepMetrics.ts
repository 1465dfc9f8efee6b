/** Metrics for operators: failed sign-ins, connections, backups, and expiring secrets and certificates. */
import { Gauge, type Registry } from 'prom-client';
import type { MetricsSources } from './metricSources.ts';

export function registerUpkeep(registry: Registry, sources: MetricsSources): void {
  new Gauge({
    name: 'clew_failed_sign_ins',
    help: 'Failed sign-ins in the last hour, by their action in the audit log',
    labelNames: ['action'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [action, count] of await sources.failedSignIns()) this.set({ action }, count);
    },
  });
  new Gauge({
    name: 'clew_database_connections',
    help: 'Database connections that requests share: busy, idle, and awaited by requests',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(sources.connections())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'clew_last_backup_timestamp_seconds',
    help: 'When the last backup was completed; absent before the first backup',
    registers: [registry],
    async collect() {
      const at = await sources.lastBackup();
      if (at === undefined) this.remove();
      else this.set(at.getTime() / 1000);
    },
  });
  new Gauge({
    name: 'clew_expiry_timestamp_seconds',
    help: 'When a certificate or secret expires, by kind and name',
    labelNames: ['kind', 'name'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { kind, name, at } of await sources.expiries())
        this.set({ kind, name }, at.getTime() / 1000);
    },
  });
}
