/** What there is to build: whether the facts, or the recipe of the analysis, differ from the newest generation's. */
import type pg from 'pg';
import { JOBS_BEING_ANALYSED } from '../ingest/jobStatus.ts';

/** As of one moment. */
export interface Due {
  readonly factsVersion: number;
  /** Upload jobs whose facts are merged. */
  readonly jobIds: readonly number[];
  readonly upToDate: boolean;
}

/**
 * One statement, since a job that is merged between two would be taken for one whose facts were there before.
 * @param recipe names rules and options of the analysis
 */
export async function whatIsDue(client: pg.ClientBase, recipe: string): Promise<Due> {
  const { rows } = await client.query<{ facts_version: number; job_ids: number[]; up_to_date: boolean }>(
    `select version as facts_version, array(${JOBS_BEING_ANALYSED}) as job_ids,
            coalesce((
              select facts_version = version and report ->> 'recipe' = $1 from generation order by id desc limit 1
            ), version = 0) as up_to_date
     from facts_state`,
    [recipe],
  );
  const [{ facts_version, job_ids, up_to_date }] = rows;
  return { factsVersion: facts_version, jobIds: job_ids, upToDate: up_to_date };
}
