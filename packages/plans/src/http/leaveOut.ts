/**
 * Excludes from the plan the changes of cards that close accepted findings. They become constraints until the acceptance ends, so
 * that the plan does not propose changes that someone rejected.
 *
 * Rule: `docs/plan.md#constraints`.
 */

import type { ConstraintRecord, RepairReference } from '@clew/api';
import { type ApiError, apiError, type RequestContext, requireWholeView } from '@clew/common';
import type { LeavingOut, PlanLeaving } from '@clew/judgment/handlers';
import { type Db, TIER_ZERO } from '@clew/store';
import { sql } from 'kysely';
import { activeConstraints, completePlan } from '../stored/storedPlans.ts';
import { referenceKey } from '../tasks/constraints.ts';
import type { StoredCard, StoredPackage } from '../tasks/storedPlan.ts';
import { addConstraint, constraintRecord, deleteConstraints, roomError } from './constraintHandlers.ts';

/** Maximum number of changes per constraint; larger packages get several constraints. */
export const MAX_REPAIRS = 1000;

/** @throws ApiError 403 for users who may not set constraints */
function requireLeavingOut(context: Pick<RequestContext, 'principal'>): void {
  const { permissions } = requireWholeView(context);
  if (!permissions.has('graphdb/Mutate')) throw apiError('notAuthorized');
}

interface PlannedRow {
  readonly plan_card: number;
  readonly plan_package: string;
  readonly source_id: string;
  readonly target_id: string;
}

/** @returns the new constraints; empty for findings that no card closes, and for changes that are already excluded */
async function leaveOutOfPlan(
  db: Db,
  context: RequestContext,
  { ids, until, reason, bulk_change_id = null }: LeavingOut,
): Promise<ConstraintRecord[]> {
  requireLeavingOut(context);
  const made: ConstraintRecord[] = [];
  for (const { title, repairs } of await neededConstraints(db, ids)) {
    const wanted = { title, object_id: null, repair_kind: null, until, bulk_change_id };
    const row = await addConstraint(
      db,
      context,
      { ...wanted, subject: 'repairs', repairs: JSON.stringify(repairs) },
      reason,
    );
    made.push(constraintRecord(row));
  }
  return made;
}

const lackOfRoom = async (db: Db, ids: readonly number[]): Promise<ApiError | undefined> =>
  roomError(db, (await neededConstraints(db, ids)).length);

/** @returns the constraints that leave out the changes of the cards that close the findings, without those that exist */
async function neededConstraints(db: Db, ids: readonly number[]): Promise<NewRepairs[]> {
  const plan = await completePlan(db, TIER_ZERO);
  if (plan === undefined) return [];
  const rows = await db
    .selectFrom('finding')
    .select(['plan_card', 'plan_package', 'source_id', 'target_id'])
    .where(sql<boolean>`id = any (${ids}::integer[])`)
    .where('plan_card', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute();
  const known = new Set(
    (await activeConstraints(db)).map(({ repairs }) => keyOf(repairs as RepairReference[])),
  );
  const needed: NewRepairs[] = [];
  for (const [number, own] of Map.groupBy(rows as PlannedRow[], ({ plan_card }) => plan_card)) {
    const card = plan.plan.cards[number - 1];
    if (card === undefined || card.key !== own[0]?.plan_package) continue;
    for (const one of packagesFor(card, own).flatMap(constraintsOf)) {
      const key = keyOf(one.repairs);
      if (known.has(key)) continue;
      known.add(key);
      needed.push(one);
    }
  }
  return needed;
}

interface NewRepairs {
  readonly title: string;
  readonly repairs: RepairReference[];
}

/** @returns constraints that together exclude a whole package, each with at most `MAX_REPAIRS` changes */
export function constraintsOf({
  title,
  references,
}: Pick<StoredPackage, 'title' | 'references'>): NewRepairs[] {
  const count = Math.ceil(references.length / MAX_REPAIRS);
  return Array.from({ length: count }, (_, part) => ({
    title: count === 1 ? title : `${title} (part ${part + 1} of ${count})`,
    repairs: references.slice(part * MAX_REPAIRS, (part + 1) * MAX_REPAIRS),
  }));
}

const keyOf = (repairs: readonly RepairReference[] | null): string =>
  (repairs ?? []).map(referenceKey).sort().join('\n');

/**
 * @returns all packages of a card that closes one finding, because it needs them together; for other cards, the packages that
 * name an end of a finding; if no package does, as for paths through certificates, all packages
 */
function packagesFor({ packages }: StoredCard, findings: readonly PlannedRow[]): readonly StoredPackage[] {
  if (packages.length === 1) return packages;
  const ends = new Set(findings.flatMap(({ source_id, target_id }) => [source_id, target_id]));
  const own = packages.filter(({ references }) =>
    references.some(
      ({ object_id, principal_id = '' }) =>
        ends.has(object_id) && (principal_id === '' || ends.has(principal_id)),
    ),
  );
  return own.length === 0 ? packages : own;
}

/** @throws ApiError 403 if constraints exist and the user may not set constraints */
async function takeBack(db: Db, context: RequestContext, bulk_change_id: number): Promise<number> {
  const some = await db
    .selectFrom('plan_constraint')
    .select('id')
    .where('bulk_change_id', '=', bulk_change_id)
    .executeTakeFirst();
  if (some === undefined) return 0;
  requireLeavingOut(context);
  return deleteConstraints(db, context, { bulk_change_id });
}

export const planLeaving: PlanLeaving = {
  require: requireLeavingOut,
  lackOfRoom,
  leaveOut: leaveOutOfPlan,
  takeBack,
};
