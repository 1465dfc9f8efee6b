/** The settings of the worker thread, from the configuration. */
import type { Config } from '@clew/common';
import {
  type ConnectionConfig,
  type Database,
  externalConnection,
  withConnectionSettings,
} from '@clew/store';
import type { ThreadOptions } from '@clew/worker';

export function workerOptions(config: Config, database: Database): ThreadOptions {
  const { archiveEntries, archiveBytes, archiveRatio, fileMinutes, selectorSeconds, cypherBytes } =
    config.limits;
  return {
    connection: database.connection,
    replica: replicaOf(config),
    logLevel: config.logLevel,
    tracesUrl: config.tracesUrl,
    tasks: config.role !== 'api',
    analysis: {
      mode: config.rules,
      selectors: {
        times: { selectorMs: selectorSeconds * 1000, allMs: 2 * selectorSeconds * 1000 },
        memoryBytes: cypherBytes,
      },
    },
    limits: {
      archive: { maxEntries: archiveEntries, maxTotalBytes: archiveBytes, maxRatio: archiveRatio },
      fileMs: fileMinutes * 60_000,
    },
    aging: {
      objectDays: config.pruneDays,
      sessionDays: config.logonSessionDays,
      auditDays: config.auditDays,
      jobDays: config.jobDays,
      differenceDays: config.differenceDays,
    },
  };
}

function replicaOf({ replicaUrl }: Config): ConnectionConfig | undefined {
  return replicaUrl === undefined
    ? undefined
    : { ...withConnectionSettings(externalConnection(replicaUrl), 'clew worker'), mayBeStandby: true };
}
