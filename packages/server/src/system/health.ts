/** Database queries for readiness and metrics. */

import type { Db } from '@clew/store';
import { sql } from 'kysely';

const PATIENCE_MS = 2000;

/** @returns why the database cannot be used, or `undefined` */
export async function databaseObstacle(db: Db): Promise<string | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve('the database does not respond in time'), PATIENCE_MS);
  const answer = sql`select 1`.execute(db).then(
    () => undefined,
    () => 'the database does not respond',
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns number of upload jobs by status number */
export async function countJobsByStatus(db: Db): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('upload_job')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status, Number(count)]));
}
