/** Finds the accepted findings among those that cards close: a card may propose a change that someone rejected. */
import { type Db, TIER_ZERO } from '@clew/store';
import { sql } from 'kysely';
import type { StoredPlan } from '../tasks/storedPlan.ts';

/** Maximum number of listed findings of a card; the count covers all. */
const MAX_NAMED = 100;

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
  const { rows } = await sql<{ card: number; key: string; count: number; accepted: number[] }>`
    select plan_card as card, plan_package as key,
      count(*) filter (where is_accepted)::integer as count,
      coalesce((array_agg(id order by id) filter (where is_accepted))[:${sql.lit(MAX_NAMED)}], '{}') as accepted
    from (
      select *, status = 'accepted' and accepted_until > statement_timestamp() as is_accepted from finding
      where plan_card is not null and deleted_at is null and part_of = ''
        and (${visible}::text[] is null or (environment_id = any (${visible}::text[])
          and (kind = 'list' or source_environment_id = any (${visible}::text[]))))
    ) noted
    group by plan_card, plan_package`.execute(db);
  if (rows.length === 0) return plan;
  const known = new Map(rows.map((row) => [`${row.card} ${row.key}`, row]));
  return {
    ...plan,
    cards: plan.cards.map((card, at) => {
      const found = known.get(`${at + 1} ${card.key}`);
      return found === undefined ? card : { ...card, accepted_count: found.count, accepted: found.accepted };
    }),
  };
}
