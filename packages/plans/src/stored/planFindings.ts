/**
 * Due days of repairs of started plans: the earliest of the findings that a repair closed when its plan was started. Findings are kept by
 * subject, since one that is found again is a new one. Rule: `docs/findings.md#service-levels`.
 */
import { type Db, TIER_ZERO } from '@clew/store';
import { sql } from 'kysely';
import type { StoredCard } from '../tasks/storedPlan.ts';

/** Maximum number of findings per card, the most severe and oldest first: the earliest due day is among them. */
const MAX_FINDINGS = 1_000;

interface ClosedRow {
  readonly environment_id: string;
  readonly tag_id: number;
  readonly finding: string;
  readonly source_id: string;
  readonly target_id: string;
}

/** @param cards the cards of the plan, whose packages are its repairs in this order */
export async function notePlanFindings(
  db: Db,
  plan: number,
  zone: number,
  cards: readonly StoredCard[],
): Promise<void> {
  // Only the plan of Tier Zero is compared with the findings.
  if (zone !== TIER_ZERO) return;
  let first = 1;
  for (const card of cards) {
    const { rows } = await sql<ClosedRow>`
      select environment_id, tag_id, finding, source_id, target_id from finding
      where plan_card is not null and plan_package = ${card.key} and deleted_at is null
      order by severity desc, created_at, id limit ${MAX_FINDINGS}`.execute(db);
    const noted = rows.flatMap((row) => repairsFor(card, row).map((at) => ({ repair: first + at, ...row })));
    first += card.packages.length;
    await sql`
      insert into plan_finding (plan_id, repair, environment_id, tag_id, finding, source_id, target_id)
      select ${plan}, noted.* from jsonb_to_recordset(${JSON.stringify(noted)}::jsonb)
        as noted (repair integer, environment_id text, tag_id integer, finding text, source_id text, target_id text)
      on conflict do nothing`.execute(db);
  }
}

/** @returns the places of packages that name an end of the finding; all places if no package does */
function repairsFor({ packages }: StoredCard, { source_id, target_id }: ClosedRow): number[] {
  const isEnd = (id: string): boolean => id === source_id || id === target_id;
  const all = packages.map((_, at) => at);
  const own = all.filter((at) =>
    packages[at]?.references.some(
      ({ object_id, principal_id = '' }) => isEnd(object_id) && (principal_id === '' || isEnd(principal_id)),
    ),
  );
  return own.length === 0 ? all : own;
}

/** Days (`YYYY-MM-DD`), keyed by plan and repair. Repairs without one are missing. */
export type EarliestDue = ReadonlyMap<number, ReadonlyMap<number, string>>;

export async function earliestDue(db: Db, plans: readonly number[]): Promise<EarliestDue> {
  const { rows } = await sql<{ plan_id: number; repair: number; due: string }>`
    select plan_id, repair, min(finding_view.due) as due
    from plan_finding join finding_view using (environment_id, tag_id, finding, source_id, target_id)
    where plan_id = any (${plans}::bigint[]) and finding_view.deleted_at is null and finding_view.due is not null
    group by plan_id, repair`.execute(db);
  const found = new Map<number, Map<number, string>>();
  for (const { plan_id, repair, due } of rows)
    found.set(plan_id, (found.get(plan_id) ?? new Map<number, string>()).set(repair, due));
  return found;
}
