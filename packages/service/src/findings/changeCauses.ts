/** Why findings began and ended. Rule: `docs/history.md#data-or-rules`. */
import type { ChangeCause, Db } from '@clew/store';
import { sql } from 'kysely';
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
  sql`tag_id = any (${zones}::integer[]) and (${visible}::text[] is null or environment_id = any (${visible}::text[]))`;

/** Of findings that began or ended after the begin of the window, up to its end. */
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

/** Findings whose last change in the window was that a person accepted them, or that an acceptance ended. */
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

export interface RulesChange {
  readonly at: string;
  readonly rules_version: string;
  /** Data changed at the same time: which of them did what cannot be told. */
  readonly with_data: boolean;
  readonly came_count: number;
  readonly went_count: number;
}

/** Analyses that other rules made, with the findings that began and ended there; oldest first. */
export async function rulesChanges(db: Db, scope: CauseScope): Promise<RulesChange[]> {
  const { rows } = await sql<RulesChange>`
    select run.published_at as at, generation.rules_version, generation.cause = 'data_and_rules' as with_data,
      (select count(*)::integer from finding where created_at = run.published_at and ${inScope(scope)}) as came_count,
      (select count(*)::integer from finding where deleted_at = run.published_at and ${inScope(scope)}) as went_count
    from finding_run run join generation on generation.id = run.generation_id
    where generation.cause <> 'data' and run.published_at > ${scope.from} and run.published_at <= ${scope.to}
    order by run.published_at`.execute(db);
  return rows;
}
