/** Owner, due date and notes of a repair of a started plan, over HTTP. Rule: `docs/plan.md#owners`. */

import type { NewPlanRepair } from '@clew/api';
import { apiError, type Handlers, type RequestContext, recordSuccess, requireUser } from '@clew/common';
import { type Assignee, assignableUser } from '@clew/identity';
import { writeMentions } from '@clew/judgment';
import type { Db, PlanRepairTable } from '@clew/store';
import { type Insertable, sql } from 'kysely';
import { planRow, seesPlan, viewOf } from '../stored/savedPlans.ts';
import { startedPlanRecord } from '../stored/startedPlans.ts';
import { sightIn } from '../tasks/sight.ts';
import type { StartedPlan } from '../tasks/startedFacts.ts';
import type { PlanParts } from '../threads/planParts.ts';

export function planRepairHandlers({
  db,
  generations,
  sessionDays,
}: Pick<PlanParts, 'db' | 'generations' | 'sessionDays'>): Handlers<'UpdatePlanRepair'> {
  return {
    async UpdatePlanRepair({ params: { plan_id, repair }, body }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const row = await planRow(db, plan_id, generation, sight);
      const { packages = [] } = (row.adoption as StartedPlan | null) ?? {};
      const title = packages[repair - 1]?.title;
      if (title === undefined) throw apiError('resourceNotFound');
      const sees: Sees = ({ environments }) => seesPlan(row, generation, sightIn(generation, environments));
      await update(db, context, { plan: row, repair, title, sees }, body);
      return {
        status: 200,
        json: { data: await startedPlanRecord(row, { db, generation, sight, sessionDays }) },
      };
    },
  };
}

type Sees = (user: Assignee) => boolean;

interface Subject {
  readonly plan: { readonly id: number; readonly name: string };
  readonly repair: number;
  readonly title: string;
  /** Whether a user may see the plan. */
  readonly sees: Sees;
}

/** Fields missing from the body stay unchanged. */
async function update(
  db: Db,
  context: RequestContext,
  { plan, repair, title, sees }: Subject,
  { owner_id, due, notes }: NewPlanRepair,
): Promise<void> {
  const { name: by } = requireUser(context.principal);
  if (due !== undefined && due !== null) requireDay(due);
  const given: Partial<Insertable<PlanRepairTable>> = {
    ...(owner_id !== undefined && { owner_id }),
    ...(due !== undefined && { due }),
    ...(notes !== undefined && { notes }),
    updated_by: by,
  };
  await db.transaction().execute(async (transaction) => {
    // The plan may be deleted in the meantime.
    await transaction
      .selectFrom('saved_plan')
      .select('id')
      .where('id', '=', plan.id)
      .forKeyShare()
      .executeTakeFirstOrThrow(() => apiError('resourceNotFound'));
    const owner = owner_id == null ? undefined : await requireOwner(transaction, owner_id, sees);
    await transaction
      .insertInto('plan_repair')
      .values({ plan_id: plan.id, repair, updated_by: by, ...given })
      .onConflict((conflict) =>
        conflict.columns(['plan_id', 'repair']).doUpdateSet({ ...given, updated_at: sql`clock_timestamp()` }),
      )
      .execute();
    if (notes !== undefined) {
      const at = { place: 'repair', plan_id: plan.id, numbers: [repair] } as const;
      await writeMentions(transaction, { at, text: notes, author: context.principal });
    }
    const fields = {
      ...{ plan_id: plan.id, name: plan.name, repair, title },
      ...(owner_id !== undefined && { owner: owner ?? '' }),
      ...(due !== undefined && { due: due ?? '' }),
      ...(notes !== undefined && { notes }),
    };
    await recordSuccess(transaction, context, 'UpdatePlanRepair', fields);
  });
}

/** @throws ApiError 400 for a user who cannot be assigned work or may not see the plan */
async function requireOwner(transaction: Db, id: string, sees: Sees): Promise<string> {
  const user = await assignableUser(transaction, id);
  if (user === undefined)
    throw apiError('invalidBody', { reason: 'owner_id is not a user to whom work can be assigned' });
  if (!sees(user))
    throw apiError('invalidBody', { reason: `${user.name} cannot see everything that the plan changes` });
  return user.name;
}

/** @throws ApiError 400 for an invalid date */
function requireDay(text: string): void {
  const day = new Date(`${text}T00:00:00Z`);
  if (!(day.getTime() > 0) || day.toISOString().slice(0, 10) !== text)
    throw apiError('invalidBody', { reason: 'due must be a date, such as 2026-12-31' });
}
