/**
 * Ranks the top of the list, because people start there. Findings of many different repairs come first, those of the plan in card order,
 * and no repair fills the page.
 *
 * Rule: `docs/findings.md#order`.
 */
import { NO_PLACE } from '@clew/store';
import { repairKeyText } from './repairKey.ts';

/** Number of ranked findings; the others follow by severity. */
const MAX_PLACES = 500;

/** Above this number, findings are not ranked in the transaction of a generation but only once there is a plan. */
export const MAX_RANKED_AT_ONCE = 200_000;

/** Sends queries: a client in a transaction, or a pool. */
export interface Asked {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/**
 * The share that can use a finding, in tenths of the share that decided its severity; below a tenth, in hundredths. A right of nearly
 * everyone comes before a right of one account with the same severity, for any repairs.
 */
const WIDTH = `case when rated_of = 0 then 0
    when rated_count >= rated_of * 0.1 then floor(rated_count * 10.0 / rated_of)
    when rated_count >= rated_of * 0.01 then 0.5 else 0 end`;

/** Rows of one repair rank one severity lower after the third, and two lower after the tenth. */
const RANK = `
with standing as (
  select id, severity, plan_card, exposure_percentage, impact_percentage, ${WIDTH} as width,
    row_number() over (
      partition by ${repairKeyText}
      order by severity desc, exposure_percentage desc, impact_percentage desc, id
    ) as nth
  from finding
  where deleted_at is null and part_of = ''
    and not (status = 'accepted' and accepted_until > statement_timestamp())
), ranked as (
  select id, row_number() over (
    order by severity - case when nth <= 3 then 0 when nth <= 10 then 1 else 2 end desc,
      width desc, nth, plan_card nulls last, severity desc, exposure_percentage desc, impact_percentage desc, id
  ) as place
  from standing
), placed as (
  select id, place::integer from ranked where place <= $1
  union all
  select id, $2::integer from finding
  where place <> $2 and not exists (select from ranked where ranked.id = finding.id and ranked.place <= $1)
)
update finding set place = placed.place
from placed
where placed.id = finding.id and finding.place is distinct from placed.place`;

/** Assigns places to the first findings. No other column changes; `updated_at` stays as well, because the visible values do not change. */
export async function rankFindings(client: Asked): Promise<void> {
  await client.query(RANK, [MAX_PLACES, NO_PLACE]);
}
