/** Selects the findings of a bulk request: those that it names, or all that match filters. Rule: `docs/findings.md#many-at-once`. */
import { MAX_CHANGED_FINDINGS, type MatchingFindings } from '@clew/api';
import { apiError } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { type FindingScope, filteredFindings, UNIFIED_REFERENCES } from './findingQueries.ts';

export interface ChosenFindings {
  readonly scope: FindingScope;
  readonly filters: Parameters<typeof filteredFindings>[2]['filters'];
  /** Limits the selection to these; default all. */
  readonly ids?: readonly number[];
  /** State of the findings that the caller saw. */
  readonly expected?: string;
}

interface ChosenRow {
  readonly id: number;
  readonly environment_id: string;
}

/**
 * @returns the findings, ordered by number
 * @throws ApiError 404 if no named finding is selected, 409 if there are too many or the state differs from the expected one
 */
export async function chosenFindings(db: Db, chosen: ChosenFindings): Promise<readonly ChosenRow[]> {
  // One statement reads everything, so that the rows are those whose state was compared.
  const { rows } = await sql<{
    ids: number[] | null;
    environments: string[] | null;
    count: number;
    state: string;
  }>`
    with chosen as (${meant(db, chosen)})
    select count(*)::integer as count, ${STATE} as state,
      (array_agg(id order by id))[:${MAX_CHANGED_FINDINGS}] as ids,
      (array_agg(environment_id order by id))[:${MAX_CHANGED_FINDINGS}] as environments
    from chosen`.execute(db);
  const [{ count, state, ids, environments }] = rows;
  if (count === 0 && chosen.ids !== undefined) throw apiError('resourceNotFound');
  if (chosen.expected !== undefined && chosen.expected !== state)
    throw apiError('otherFindings', { count: String(count) });
  if (count > MAX_CHANGED_FINDINGS)
    throw apiError('tooManyFindings', { count: String(MAX_CHANGED_FINDINGS) });
  return (ids ?? []).map((id, at) => ({ id, environment_id: environments?.[at] ?? '' }));
}

export async function matchingFindings(db: Db, chosen: ChosenFindings): Promise<MatchingFindings> {
  const { rows } = await sql<Omit<MatchingFindings, 'limit'>>`
    with chosen as (${meant(db, chosen)})
    select count(*)::integer as count, ${STATE} as state, json_build_object(
      'critical', count(*) filter (where severity = 3), 'high', count(*) filter (where severity = 2),
      'moderate', count(*) filter (where severity = 1), 'low', count(*) filter (where severity = 0)) as by_severity
    from chosen`.execute(db);
  return { ...rows[0], limit: MAX_CHANGED_FINDINGS };
}

/** Archived findings are final. */
function meant(db: Db, { scope, filters, ids }: ChosenFindings) {
  let found = filteredFindings(db, scope, { filters, sorts: [] }, UNIFIED_REFERENCES)
    .select(['id', 'environment_id', 'severity'])
    .where('deleted_at', 'is', null);
  if (ids !== undefined) found = found.where(sql<boolean>`id = any (${ids}::integer[])`);
  return found;
}

/** Changes if any finding is replaced or gets another severity. */
const STATE = sql<string>`encode(sha256(convert_to(coalesce(string_agg(id || ':' || severity, ',' order by id), ''), 'UTF8')), 'hex')`;
