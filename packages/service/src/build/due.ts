/** What there is to build: whether the facts, or the recipe of the analysis, differ from the newest generation's. */
import type { ChangeCause, Db } from '@clew/store';
import { sql } from 'kysely';
import type pg from 'pg';
import { JOBS_BEING_ANALYSED } from '../ingest/jobStatus.ts';

/** Why a generation differs from the one before. */
export type BuildCause = Exclude<ChangeCause, 'acceptance'>;

/** As of one moment. */
export interface Due {
  readonly factsVersion: number;
  /** Upload jobs whose facts are merged. */
  readonly jobIds: readonly number[];
  readonly upToDate: boolean;
  readonly cause: BuildCause;
  /** The newest that is published; null before the first. */
  readonly newest: number | null;
}

interface Row {
  readonly facts_version: number;
  readonly job_ids: number[];
  readonly newest_id: number | null;
  readonly is_first: boolean;
  readonly is_other_recipe: boolean;
  readonly has_changed: boolean;
  readonly has_data: boolean;
  readonly is_reread: boolean;
}

/** One statement, since a job that is merged between two would be taken for one whose facts were there before. */
const DUE = `
select version as facts_version, array(${JOBS_BEING_ANALYSED}) as job_ids,
       newest.id as newest_id, newest.id is null as is_first,
       newest.recipe is distinct from $1 as is_other_recipe,
       version is distinct from coalesce(newest.facts_version, 0) as has_changed,
       data_version > coalesce(newest.facts_version, 0) as has_data,
       reread_version > coalesce(newest.facts_version, 0) as is_reread
from facts_state
left join (
  select id, facts_version, report ->> 'recipe' as recipe from generation order by id desc limit 1
) newest on true`;

/** @param recipe names rules and options of the analysis */
export async function whatIsDue(client: pg.ClientBase, recipe: string): Promise<Due> {
  const { rows } = await client.query<Row>(DUE, [recipe]);
  const [row] = rows;
  return {
    factsVersion: row.facts_version,
    jobIds: row.job_ids,
    upToDate: !row.has_changed && (row.is_first || !row.is_other_recipe),
    cause: causeOf(row),
    newest: row.newest_id,
  };
}

function causeOf({ is_first, is_other_recipe, has_changed, has_data, is_reread }: Row): BuildCause {
  if (is_first || (!is_other_recipe && !is_reread)) return 'data';
  return has_data || (has_changed && !is_reread) ? 'data_and_rules' : 'rules';
}

/** @returns whether the newest generation was made by other rules, or with other options */
export async function isByOtherRules(db: Db, recipe: string): Promise<boolean> {
  const newest = await db
    .selectFrom('generation')
    .select(sql<string | null>`report ->> 'recipe'`.as('recipe'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest !== undefined && newest.recipe !== recipe;
}
