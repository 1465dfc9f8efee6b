/** Requests daily generations: findings about age (of passwords, of logons) change with time alone, even without new facts. */

import { type Db, factsChanged } from '@clew/store';
import { sql } from 'kysely';

/** Requests a run if the newest is a day old and no run is pending. @returns whether it did */
export async function askForDailyRun(db: Db): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ due: boolean }>`
      select (select max(published_at) from finding_run) < clock_timestamp() - interval '1 day'
             and version = (select facts_version from generation order by id desc limit 1) as due
      from facts_state for update`.execute(transaction);
    if (rows[0].due !== true) return false;
    await factsChanged(transaction);
    return true;
  });
}
