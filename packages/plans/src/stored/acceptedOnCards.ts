/** Finds the accepted findings among those that cards close: a card may propose a change that someone rejected. */
import type { CardRecord } from '@clew/api';
import { FOR_EVER } from '@clew/judgment';
import { type Db, TIER_ZERO } from '@clew/store';
import { sql } from 'kysely';
import type { StoredPlan } from '../tasks/storedPlan.ts';

/** Maximum number of listed findings of a card; the count covers all. */
const MAX_NAMED = 100;
/** Maximum number of listed acceptances of a card, those of most findings first. */
const MAX_ACCEPTANCES = 5;

interface AcceptedRow {
  readonly card: number;
  readonly key: string;
  readonly count: number;
  readonly accepted: number[];
  readonly acceptances: NonNullable<CardRecord['acceptances']>;
}

/**
 * @param visible environments whose findings are counted; null for all
 * @returns the plan with accepted findings on its cards; plans of other zones, and plans whose cards were not compared with the findings,
 * are returned unchanged
 */
export async function withAccepted(
  db: Db,
  plan: StoredPlan,
  visible: readonly string[] | null,
): Promise<StoredPlan> {
  if (plan.asset_group_tag_id !== TIER_ZERO || plan.cards.length === 0) return plan;
  const { rows } = await sql<AcceptedRow>`
    with noted as (
      select *, status = 'accepted' and accepted_until > statement_timestamp() as is_accepted from finding
      where plan_card is not null and deleted_at is null and part_of = ''
        and (${visible}::text[] is null or (environment_id = any (${visible}::text[])
          and (kind = 'list' or source_environment_id = any (${visible}::text[]))))
    ), acceptances as (
      select plan_card, plan_package, accepted_by, accepted_until, count(*)::integer as count,
        row_number() over (partition by plan_card, plan_package order by count(*) desc, accepted_until, accepted_by) as place
      from noted where is_accepted group by plan_card, plan_package, accepted_by, accepted_until
    )
    select noted.plan_card as card, noted.plan_package as key,
      count(*) filter (where is_accepted)::integer as count,
      coalesce((array_agg(id order by id) filter (where is_accepted))[:${sql.lit(MAX_NAMED)}], '{}') as accepted,
      coalesce((
        select json_agg(json_build_object('by', accepted_by, 'count', acceptances.count,
          'until', case when accepted_until < ${FOR_EVER}::timestamptz then
            to_char(accepted_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end) order by place)
        from acceptances
        where acceptances.plan_card = noted.plan_card and acceptances.plan_package = noted.plan_package
          and place <= ${MAX_ACCEPTANCES}
      ), '[]') as acceptances
    from noted group by noted.plan_card, noted.plan_package`.execute(db);
  if (rows.length === 0) return plan;
  const known = new Map(rows.map((row) => [`${row.card} ${row.key}`, row]));
  return {
    ...plan,
    cards: plan.cards.map((card, at) => {
      const found = known.get(`${at + 1} ${card.key}`);
      if (found === undefined) return card;
      const { count: accepted_count, accepted, acceptances } = found;
      return { ...card, accepted_count, accepted, acceptances };
    }),
  };
}
