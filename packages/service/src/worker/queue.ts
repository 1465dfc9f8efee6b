/**
 * Wakes the worker, in the transaction of the data it is about. A task carries no orders: it looks at what the tables
 * say is due and does that. So one that comes twice, late, or again after a crash does no harm.
 */
import { sql } from 'kysely';
import type { Db } from '../store/database.ts';

const TASKS = {
  /** Reads and merges the upload jobs that are ingesting, oldest first. */
  ingest: { delayMs: 0 },
  /** Builds and publishes a generation if facts changed. Requests within the delay are one. */
  build: { delayMs: 250 },
  /** Ends abandoned uploads, forgets expired samples, and wakes the others in case a call was lost. */
  sweep: { delayMs: 0 },
} as const;

export type TaskName = keyof typeof TASKS;

const MAX_ATTEMPTS = 25;

export async function enqueue(db: Db, task: TaskName): Promise<void> {
  // Keeps the time of a call that waits already: under a steady stream of calls the task still runs. A call for a
  // task that is running becomes a new one, since that task may have looked before the data came.
  await sql`select graphile_worker.add_job(
    ${task},
    run_at => now() + make_interval(secs => ${TASKS[task].delayMs / 1000}),
    job_key => ${task},
    job_key_mode => 'preserve_run_at',
    max_attempts => ${MAX_ATTEMPTS}
  )`.execute(db);
}
