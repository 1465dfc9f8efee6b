/** Stores which card of the plan closes which finding, or why no card does. Shown with each finding, and used to sort the list. */

import { createHash } from 'node:crypto';
import { SEVERITIES } from '@clew/analysis';
import type { OpenReason } from '@clew/planning';
import { AdvisoryLock, type Db } from '@clew/store';
import { CompiledQuery, sql } from 'kysely';
import { rankFindings } from './rankFindings.ts';

/** Identifies a finding as stored. */
export interface PlannedFinding {
  readonly environment_id: string;
  readonly tag_id: number;
  readonly finding: string;
  /** Empty for list findings. */
  readonly source_id: string;
  readonly target_id: string;
}

export interface ClosingCard {
  /** Stable across generations. */
  readonly key: string;
  /** Share of users and computers exposed after the card and all cards before it. */
  readonly after: number;
  readonly closed: readonly PlannedFinding[];
}

/** A finding that no card closes. */
export interface OpenPlannedFinding extends PlannedFinding {
  readonly reason: OpenReason;
  /** Users and computers that can use it after the plan, if counted. */
  readonly users: number | null;
}

/** The parts of a plan that concern findings. */
export interface FindingPlan {
  readonly cards: readonly ClosingCard[];
  readonly open: readonly OpenPlannedFinding[];
  /** Changes that each close several findings that no card closes. */
  readonly shared: readonly SharedRepair[];
  /** Findings that no card closes, but a card lowers. */
  readonly lowered: readonly LoweredPlannedFinding[];
}

export interface LoweredPlannedFinding extends PlannedFinding {
  /** Number of the card. */
  readonly card: number;
  /** Place in `SEVERITIES`. */
  readonly to: number;
}

export interface SharedRepair {
  /** Stable across generations. */
  readonly key: string;
  /** Text of the change. */
  readonly title: string;
  readonly findings: readonly PlannedFinding[];
}

/** Reasons are stored for findings of custom checks of any severity, and for other findings of at least this severity. */
const MIN_NOTED = SEVERITIES.indexOf('high');

/**
 * @param plan the cards of the plan of Tier Zero, in order; they replace the cards of the previous plan. A finding that several cards close
 * is assigned to the first.
 */
export async function notePlannedFindings(
  db: Db,
  { cards, open, shared, lowered }: FindingPlan,
): Promise<void> {
  const rows = cards.flatMap(({ key, after, closed }, at) =>
    closed.map((finding) => ({ ...finding, card: at + 1, key, after })),
  );
  const together = shared.flatMap(({ key, title, findings }) =>
    findings.map((finding) => ({ ...finding, repair: digestOf(key), title })),
  );
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${AdvisoryLock.findings})`.execute(transaction);
    await sql`
      with planned as (
        select distinct on (environment_id, tag_id, finding, source_id, target_id) *
        from ${tableOf('planned', rows, { card: 'integer', key: 'text', after: 'double precision' })}
        order by environment_id, tag_id, finding, source_id, target_id, card
      ), changed as (
        select finding.id, planned.card, planned.key, planned.after
        from finding join planned using (environment_id, tag_id, finding, source_id, target_id)
        where finding.deleted_at is null
        union all
        select finding.id, null, null, null from finding
        where finding.plan_card is not null and (finding.deleted_at is not null or not exists (
          select from planned where planned.environment_id = finding.environment_id and planned.tag_id = finding.tag_id
            and planned.finding = finding.finding and planned.source_id = finding.source_id
            and planned.target_id = finding.target_id))
      )
      update finding
      set plan_card = changed.card, plan_package = changed.key, plan_after = changed.after
      from changed
      where changed.id = finding.id
        and (finding.plan_card, finding.plan_package, finding.plan_after)
          is distinct from (changed.card, changed.key, changed.after)`.execute(transaction);
    await sql`
      with left_open as (
        select finding.id, why.reason, why.users
        from ${tableOf('why', open, { reason: 'text', users: 'bigint' })}
        join finding using (environment_id, tag_id, finding, source_id, target_id)
        where finding.deleted_at is null and finding.plan_card is null
          and (finding.severity >= ${MIN_NOTED} or exists (select from custom_check where custom_check.name = finding.finding))
      ), changed as (
        select * from left_open
        union all
        select id, null, null from finding
        where plan_open is not null and not exists (select from left_open where left_open.id = finding.id)
      )
      update finding
      set plan_open = changed.reason, plan_open_users = changed.users
      from changed
      where changed.id = finding.id
        and (finding.plan_open, finding.plan_open_users) is distinct from (changed.reason, changed.users)`.execute(
      transaction,
    );
    await sql`
      with together as (
        select finding.id, one.repair, one.title
        from ${tableOf('one', together, { repair: 'text', title: 'text' })}
        join finding using (environment_id, tag_id, finding, source_id, target_id)
        where finding.deleted_at is null and finding.plan_card is null
      ), changed as (
        select * from together
        union all
        select id, null, null from finding
        where plan_repair is not null and not exists (select from together where together.id = finding.id)
      )
      update finding set plan_repair = changed.repair, plan_repair_title = changed.title
      from changed
      where changed.id = finding.id
        and (finding.plan_repair, finding.plan_repair_title) is distinct from (changed.repair, changed.title)`.execute(
      transaction,
    );
    // A row is as urgent as the worst finding that it represents, which must be closed or lowered as well.
    await sql`
      with fallen as (
        select finding.id, one.card, one."to" as lower
        from ${tableOf('one', lowered, { card: 'integer', to: 'smallint' })}
        join finding using (environment_id, tag_id, finding, source_id, target_id)
        where finding.deleted_at is null and finding.plan_card is null
      ), meant as (
        select * from fallen where not exists (
          select from finding part
          where part.part_of_id = fallen.id and part.deleted_at is null and part.severity > fallen.lower
            and part.plan_card is null and not exists (select from fallen other where other.id = part.id))
      ), changed as (
        select * from meant
        union all
        select id, null, null from finding
        where plan_lowered_card is not null and not exists (select from meant where meant.id = finding.id)
      )
      update finding set plan_lowered_card = changed.card, plan_lowered_to = changed.lower
      from changed
      where changed.id = finding.id
        and (finding.plan_lowered_card, finding.plan_lowered_to) is distinct from (changed.card, changed.lower)`.execute(
      transaction,
    );
    await rankFindings({
      query: (text, values = []) => transaction.executeQuery(CompiledQuery.raw(text, values)),
    });
  });
}

const KEY_TYPES = {
  ...{ environment_id: 'text', tag_id: 'integer', finding: 'text', source_id: 'text', target_id: 'text' },
} as const;

/** Findings with other columns as a table of a statement. @param types of the other columns in the database */
function tableOf<Row extends PlannedFinding>(
  name: string,
  rows: readonly Row[],
  types: Readonly<Partial<Record<keyof Row, string>>>,
) {
  const columns = Object.entries({ ...KEY_TYPES, ...types }) as [keyof Row & string, string][];
  const values = columns.map(([column, type]) => sql`${rows.map((row) => row[column])}::${sql.raw(type)}[]`);
  return sql`unnest(${sql.join(values)}) as ${sql.id(name)} (${sql.join(columns.map(([column]) => sql.id(column)))})`;
}

/** Repairs name objects that a user may not see; a digest reveals nothing. */
const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16);
