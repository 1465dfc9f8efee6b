/**
 * Wakes the worker, in the transaction of the data it is about. A task carries no orders: it looks at what the tables
 * say is due and does that. So one that comes twice, late, or again after a crash does no harm.
 */
import { CompiledQuery } from 'kysely';
import type pg from 'pg';
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

// Keeps the time of a call that waits already: under a steady stream of calls the task still runs. A call for a task
// that is running becomes a new one, since that task may have looked before the data came.
const ADD_JOB = `select graphile_worker.add_job(
  $1,
  run_at => now() + make_interval(secs => $2::double precision / 1000),
  job_key => $1,
  job_key_mode => 'preserve_run_at',
  max_attempts => ${MAX_ATTEMPTS}
)`;

export async function enqueue(db: Db, task: TaskName): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(ADD_JOB, [task, TASKS[task].delayMs]));
}

/** The same on a plain connection. */
export async function enqueueOn(client: pg.ClientBase | pg.Pool, task: TaskName): Promise<void> {
  await client.query(ADD_JOB, [task, TASKS[task].delayMs]);
}
