/** Plans that were saved, over HTTP. What is left of one is worked out on the newest generation. */
import type { NewPlan, SavedPlan } from '@clew/api';
import type { SavedPlanTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { apiError } from '../operation/apiError.ts';
import { recordAudit } from '../operation/auditLog.ts';
import type { Handlers } from '../operation/handler.ts';
import { requireWholeView } from '../operation/principal.ts';
import { answering, type PlanParts, requireZone } from './planParts.ts';

type Operations = 'ListPlans' | 'CreatePlan' | 'GetSavedPlan' | 'DeletePlan';

const MAX_PLANS = 1000;

export function savedPlanHandlers({ db, generations, planner }: PlanParts): Handlers<Operations> {
  return {
    async ListPlans({ query: { skip, limit } }, context) {
      requireWholeView(context);
      const { count } = await db
        .selectFrom('saved_plan')
        .select(sql<number>`count(*)::integer`.as('count'))
        .executeTakeFirstOrThrow();
      const rows = await db
        .selectFrom('saved_plan')
        .selectAll()
        .orderBy('id', 'desc')
        .offset(skip)
        .limit(limit)
        .execute();
      return { status: 200, json: { count, skip, limit, data: rows.map(planRecord) } };
    },

    async CreatePlan({ body }, context) {
      const { name } = requireWholeView(context);
      const { name: title, description = '', ...request }: NewPlan = body;
      if (Object.values(request).every((part) => !Array.isArray(part) || part.length === 0))
        throw apiError('malformedRequest', { reason: 'a plan changes something' });
      await requireZone(db, request.asset_group_tag_id);
      const simulated = await answering(
        planner.run(generations.current(), 'simulate', request, context.signal),
      );
      const { generation, before, after, closed_count, opened_count } = simulated;
      const expected = { generation, before, after, closed_count, opened_count };
      const row = await db.transaction().execute(async (transaction) => {
        const { count } = await transaction
          .selectFrom('saved_plan')
          .select(sql<number>`count(*)::integer`.as('count'))
          .executeTakeFirstOrThrow();
        if (count >= MAX_PLANS)
          throw apiError('malformedRequest', { reason: `there are ${MAX_PLANS} plans: delete one first` });
        const made = await transaction
          .insertInto('saved_plan')
          .values({
            ...{ name: title, description, created_by: name },
            ...{ request: JSON.stringify(request), expected: JSON.stringify(expected) },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const fields = { plan_id: made.id, name: title };
        await recordAudit(transaction, context, { action: 'CreatePlan', status: 'success', fields });
        return made;
      });
      return { status: 201, json: { data: planRecord(row) } };
    },

    async GetSavedPlan({ params }, context) {
      requireWholeView(context);
      const row = await db
        .selectFrom('saved_plan')
        .selectAll()
        .where('id', '=', params.plan_id)
        .executeTakeFirst();
      if (row === undefined) throw apiError('resourceNotFound');
      const plan = planRecord(row);
      const progress = await answering(
        planner.run(generations.current(), 'progress', plan.request, context.signal),
      );
      return { status: 200, json: { data: { ...plan, ...progress } } };
    },

    async DeletePlan({ params }, context) {
      requireWholeView(context);
      await db.transaction().execute(async (transaction) => {
        const gone = await transaction
          .deleteFrom('saved_plan')
          .where('id', '=', params.plan_id)
          .returning(['id', 'name'])
          .executeTakeFirst();
        if (gone === undefined) throw apiError('resourceNotFound');
        const fields = { plan_id: gone.id, name: gone.name };
        await recordAudit(transaction, context, { action: 'DeletePlan', status: 'success', fields });
      });
      return { status: 204 };
    },
  };
}

function planRecord({ request, expected, ...row }: Selectable<SavedPlanTable>): SavedPlan {
  return { ...row, request: request as SavedPlan['request'], expected: expected as SavedPlan['expected'] };
}
