/** Plans that were saved, over HTTP. What is left of one is worked out on the newest generation. */
import type { NewAdoption, NewPlan, SavedPlan, SimulationRequest } from '@clew/api';
import { type Db, type SavedPlanTable, TIER_ZERO } from '@clew/store';
import { type Insertable, type Selectable, sql } from 'kysely';
import { apiError } from '../operation/apiError.ts';
import { recordAudit } from '../operation/auditLog.ts';
import type { Handlers, RequestContext } from '../operation/handler.ts';
import { requireUser, requireWholeView } from '../operation/principal.ts';
import { adoptionRecords } from './adoptedPlans.ts';
import { inTime, type PlanParts, requireZone } from './planParts.ts';
import { completePlan } from './storedPlans.ts';
import type { StoredCard } from './zonePlan.ts';

type Operations =
  | 'ListPlans'
  | 'CreatePlan'
  | 'GetSavedPlan'
  | 'DeletePlan'
  | 'AdoptPlan'
  | 'ListAdoptedPlans';

const MAX_PLANS = 1000;

export function savedPlanHandlers({
  db,
  generations,
  planner,
}: Pick<PlanParts, 'db' | 'generations' | 'planner'>): Handlers<Operations> {
  const simulate = (request: SimulationRequest, context: RequestContext) =>
    inTime(context, 'the simulation', (signal) =>
      planner.run(generations.current(), 'simulate', request, signal),
    );
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
      const expected = expectedOf(await simulate(request, context));
      const texts = { name: title, description, created_by: name };
      const row = await save(db, context, 'CreatePlan', {
        ...{ ...texts, request: JSON.stringify(request), expected: JSON.stringify(expected) },
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
      const progress = await inTime(context, 'looking at the plan', (signal) =>
        planner.run(generations.current(), 'progress', plan.request, signal),
      );
      return { status: 200, json: { data: { ...plan, ...progress } } };
    },

    async AdoptPlan({ body }, context) {
      const { name } = requireWholeView(context);
      const {
        name: title,
        description = '',
        asset_group_tag_id: zone = TIER_ZERO,
        cards: keys,
      }: NewAdoption = body;
      await requireZone(db, zone);
      const cards = chosenCards((await completePlan(db, zone))?.plan.cards ?? [], keys);
      const packages = cards.flatMap((card) => card.packages);
      const cut = packages.find(({ change_count, references }) => references.length < change_count);
      if (cut !== undefined)
        throw apiError('malformedRequest', {
          reason: `"${cut.title}" has ${cut.change_count} changes, more than can be followed one by one`,
        });
      const request = { asset_group_tag_id: zone, repairs: packages.flatMap(({ references }) => references) };
      const expected = expectedOf(await simulate(request, context));
      const adoption = await inTime(context, 'adopting the plan', (signal) =>
        planner.run(
          generations.current(),
          'adoption',
          { zone, packages: packages.map((one) => ({ title: one.title, references: one.references })) },
          signal,
        ),
      );
      const row = await save(db, context, 'AdoptPlan', {
        ...{ name: title, description, created_by: name, adopted_at: new Date() },
        ...{ request: JSON.stringify(request), expected: JSON.stringify(expected) },
        adoption: JSON.stringify(adoption),
      });
      return { status: 201, json: { data: planRecord(row) } };
    },

    async ListAdoptedPlans(_, context) {
      // Plans cover whole forests: a user who may see some environments has none to follow.
      const { environments } = requireUser(context.principal);
      return { status: 200, json: { data: environments === null ? await adoptionRecords(db) : [] } };
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

/** @throws ApiError 400 for cards that the plan does not have, and for a plan without any */
function chosenCards(all: readonly StoredCard[], keys: readonly string[] | undefined): readonly StoredCard[] {
  const unknown = keys?.find((key) => !all.some((card) => card.key === key));
  if (unknown !== undefined)
    throw apiError('malformedRequest', { reason: `the plan has no card ${unknown}` });
  const chosen = keys === undefined ? all : all.filter(({ key }) => keys.includes(key));
  if (chosen.length === 0)
    throw apiError('malformedRequest', { reason: 'the plan has no card to start with' });
  return chosen;
}

type Simulated = Pick<SavedPlan['expected'], keyof SavedPlan['expected']>;

const expectedOf = ({
  generation,
  before,
  after,
  closed_count,
  opened_count,
}: Simulated): SavedPlan['expected'] => ({
  ...{ generation, before, after, closed_count, opened_count },
});

/** @throws ApiError 400 where there are too many */
function save(
  db: Db,
  context: RequestContext,
  action: 'CreatePlan' | 'AdoptPlan',
  values: Insertable<SavedPlanTable>,
): Promise<Selectable<SavedPlanTable>> {
  return db.transaction().execute(async (transaction) => {
    const { count } = await transaction
      .selectFrom('saved_plan')
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    if (count >= MAX_PLANS)
      throw apiError('malformedRequest', { reason: `there are ${MAX_PLANS} plans: delete one first` });
    const made = await transaction
      .insertInto('saved_plan')
      .values(values)
      .returningAll()
      .executeTakeFirstOrThrow();
    const fields = { plan_id: made.id, name: made.name };
    await recordAudit(transaction, context, { action, status: 'success', fields });
    return made;
  });
}

function planRecord({
  request,
  expected,
  adoption: _,
  progress: __,
  ...row
}: Selectable<SavedPlanTable>): SavedPlan {
  return { ...row, request: request as SavedPlan['request'], expected: expected as SavedPlan['expected'] };
}
