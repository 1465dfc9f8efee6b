/** The worker that tests start: it runs all tasks, with the limits of an installation. */
import type { Database } from '@clew/store';
import { silentLog } from '@clew/store/testing';
import { startWorker } from '../src/worker.ts';

export const startTestWorker = (database: Database) =>
  startWorker({
    database,
    tasks: true,
    analysis: { mode: 'clean' },
    limits: { archive: {} },
    aging: { objectDays: 7, sessionDays: 3, auditDays: 365, jobDays: 90, differenceDays: 90 },
    handOver: async () => {},
    log: silentLog,
  });
