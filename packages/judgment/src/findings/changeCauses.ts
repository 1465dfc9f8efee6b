/** Causes for which findings (without parts) were opened and closed. Rule: `docs/history.md#data-or-rules`. */
import type { ChangeCause, ChangedAnswer, Db } from '@clew/store';
import { sql } from 'kysely';
import { IS_WHOLE } from './findingQueries.ts';
import type { TimeWindow } from './posture.ts';

export interface CauseScope extends TimeWindow {
  /** `null` for all. */
  readonly visible: readonly string[] | null;
  readonly zones: readonly number[];
}

export interface CauseCount {
  readonly finding: string;
  readonly cause: Exclude<ChangeCause, 'acceptance'>;
  readonly came: number;
  readonly went: number;
}

const inScope = ({ visible, zones }: CauseScope) =>
  sql`${IS_WHOLE} and tag_id = any (${zones}::integer[]) and (${visible}::text[] is null or environment_id = any (${visible}::text[]))`;

/** Counts the causes of findings opened or closed after the start of the window, up to its end. */
export async function causesOf(db: Db, scope: CauseScope): Promise<CauseCount[]> {
  const { from, to } = scope;
  const { rows } = await sql<CauseCount>`
    select finding, cause, sum(came)::integer as came, sum(went)::integer as went
    from (
      select finding, began_by as cause, 1 as came, 0 as went from finding
      where created_at > ${from} and created_at <= ${to} and ${inScope(scope)}
      union all
      select finding, changed_by, 0, 1 from finding
      where deleted_at > ${from} and deleted_at <= ${to} and ${inScope(scope)}
    ) as changed
    group by finding, cause order by finding, cause`.execute(db);
  return rows;
}

export interface AcceptanceCounts {
  readonly accepted_count: number;
  readonly ended_count: number;
}

/** Findings whose last change in the window was an acceptance or its end. */
export async function acceptancesIn(db: Db, scope: CauseScope): Promise<AcceptanceCounts> {
  const { rows } = await sql<AcceptanceCounts>`
    select count(*) filter (where status = 'accepted')::integer as accepted_count,
           count(*) filter (where status = 'active')::integer as ended_count
    from finding
    where changed_by = 'acceptance' and updated_at > ${scope.from} and updated_at <= ${scope.to} and ${inScope(scope)}`.execute(
    db,
  );
  return rows[0];
}

export interface AnalysisChange {
  readonly at: string;
  readonly cause: Exclude<ChangeCause, 'acceptance' | 'data'>;
  readonly rules_version: string;
  readonly came_count: number;
  readonly went_count: number;
  /** Answers about authorities that differ from the previous analysis. */
  readonly changed_answers: readonly ChangedAnswer[];
}

/** Analyses with changed rules, zones or answers, with the findings opened and closed there; oldest first. */
export async function analysisChanges(db: Db, scope: CauseScope): Promise<AnalysisChange[]> {
  const { from, to } = scope;
  const { rows } = await sql<AnalysisChange>`
    with changed as (
      select run.published_at as at, generation.cause, generation.rules_version, generation.changed_answers
      from finding_run run join generation on generation.id = run.generation_id
      where generation.cause <> 'data' and run.published_at > ${from} and run.published_at <= ${to}
    ), came as (
      select created_at as at, count(*)::integer as number from finding
      where created_at in (select at from changed) and ${inScope(scope)} group by created_at
    ), went as (
      select deleted_at as at, count(*)::integer as number from finding
      where deleted_at in (select at from changed) and ${inScope(scope)} group by deleted_at
    )
    select changed.at, changed.cause, changed.rules_version, changed.changed_answers,
      coalesce(came.number, 0) as came_count, coalesce(went.number, 0) as went_count
    from changed left join came using (at) left join went using (at)
    order by changed.at`.execute(db);
  return rows;
}
