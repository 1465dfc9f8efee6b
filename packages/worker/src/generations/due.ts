/** Determines what to build: whether the facts, or the recipe of the analysis, differ from the newest generation's. */

import { JOBS_BEING_ANALYZED } from '@clew/intake';
import type { ChangeCause, Db } from '@clew/store';
import { sql } from 'kysely';
import type pg from 'pg';

/** The reason why a generation differs from the previous one. */
export type BuildCause = Exclude<ChangeCause, 'acceptance'>;

/** The state at one moment. */
export interface Due {
  readonly factsVersion: number;
  /** Upload jobs whose facts are merged. */
  readonly jobIds: readonly number[];
  readonly upToDate: boolean;
  readonly cause: BuildCause;
  /** The newest published generation; null before the first. */
  readonly newest: number | null;
}

interface Row {
  readonly facts_version: number;
  readonly job_ids: number[];
  readonly newest_id: number | null;
  readonly is_first: boolean;
  readonly newest_recipe: string | null;
  readonly is_other_recipe: boolean;
  readonly has_changed: boolean;
  readonly has_data: boolean;
  readonly is_reread: boolean;
  readonly has_zones: boolean;
}

/** Uses one statement, because a job merged between two statements would count as one with earlier facts. */
const DUE = `
select version as facts_version, array(${JOBS_BEING_ANALYZED}) as job_ids,
       newest.id as newest_id, newest.id is null as is_first, newest.recipe as newest_recipe,
       newest.recipe is distinct from $1 as is_other_recipe,
       version is distinct from coalesce(newest.facts_version, 0) as has_changed,
       data_version > coalesce(newest.facts_version, 0) as has_data,
       reread_version > coalesce(newest.facts_version, 0) as is_reread,
       zones_version > coalesce(newest.facts_version, 0) as has_zones
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
    cause: causeOf(row, recipe),
    newest: row.newest_id,
  };
}

function causeOf(
  { is_first, newest_recipe, has_changed, has_data, is_reread, has_zones }: Row,
  recipe: string,
): BuildCause {
  if (is_first) return 'data';
  const causes: BuildCause[] = [];
  const [before, now] = [partsOf(newest_recipe), partsOf(recipe)];
  if (before.rules !== now.rules || is_reread) causes.push('rules');
  if (before.answers !== now.answers) causes.push('answers');
  if (has_zones) causes.push('zones');
  // Any other change of the facts counts as data.
  if (has_data || (has_changed && !is_reread && !has_zones)) causes.push('data');
  return causes.length > 1 ? 'several' : (causes[0] ?? 'data');
}

/** The answers of users in a recipe, and its other contents. An unreadable recipe differs from every other one. */
function partsOf(recipe: string | null): { readonly rules: string; readonly answers: string } {
  try {
    const { updated = [], ...rules } = JSON.parse(recipe ?? '{}');
    return { rules: JSON.stringify(rules), answers: JSON.stringify(updated) };
  } catch {
    return { rules: String(recipe), answers: '[]' };
  }
}

/**
 * @returns whether the newest generation used other rules, or other zones over the same data. It is then rebuilt before the next ingest, so
 * that both causes can be distinguished
 */
export async function isByOtherRulesOrZones(db: Db, recipe: string): Promise<boolean> {
  const { rows } = await sql<{ is_due: boolean }>`
    select newest.recipe is distinct from ${recipe}
      or (zones_version > newest.facts_version and greatest(data_version, reread_version) <= newest.facts_version) as is_due
    from facts_state, (
      select facts_version, report ->> 'recipe' as recipe from generation order by id desc limit 1
    ) newest`.execute(db);
  return rows[0]?.is_due === true;
}
