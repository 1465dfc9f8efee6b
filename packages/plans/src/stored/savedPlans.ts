/**
 * Saved plans over HTTP. The remaining changes of a plan are computed on the newest generation. A user with limited environments
 * sees plans that change only objects in them, including plans that others saved.
 */
import { type NewPlan, PLAN_COLUMNS, type SavedPlan, type SimulationRequest } from '@clew/api';
import type { Handlers, RequestContext } from '@clew/common';
import { apiError, recordPage, recordSuccess, requireUser } from '@clew/common';
import type { Generation } from '@clew/generation';
import { findNamedNode, NO_NODE, objectIdOf } from '@clew/graph';
import type { Db, SavedPlanTable } from '@clew/store';
import { type Insertable, type Selectable, sql } from 'kysely';
import { objectsOf, requireSeen, type Sight, seenBy, sightOf } from '../tasks/sight.ts';
import { type SimulatedFigures, shownFigures } from '../tasks/simulation.ts';
import { inTime, type PlanParts, requireZone } from '../threads/planParts.ts';

type Operations = 'ListPlans' | 'CreatePlan' | 'GetSavedPlan' | 'UpdatePlan' | 'DeletePlan';

const MAX_PLANS = 1000;

export function savedPlanHandlers({
  db,
  generations,
  planner,
}: Pick<PlanParts, 'db' | 'generations' | 'planner'>): Handlers<Operations> {
  return {
    async ListPlans(input, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const rows = await db.selectFrom('saved_plan').selectAll().orderBy('id', 'desc').execute();
      const seen = rows.filter((row) => seesPlan(row, generation, sight));
      const records = seen.map((row) => planRecord(row, sight));
      return { status: 200, json: recordPage(records, PLAN_COLUMNS, input) };
    },

    async CreatePlan({ body }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const { name: title, description = '', ...request }: NewPlan = body;
      if (Object.values(request).every((part) => !Array.isArray(part) || part.length === 0))
        throw apiError('malformedRequest', { reason: 'a plan must contain a change' });
      requireSeen(sight, objectsOf(request));
      await requireZone(db, request.asset_group_tag_id);
      const input = { request, seen: seenBy(context.principal) };
      const { figures } = await inTime(context, 'the simulation', (signal) =>
        planner.run(generation, 'simulate', input, signal),
      );
      const row = await savePlan(db, context, 'CreatePlan', {
        ...{ name: title, description, ...changesOf(generation, request) },
        expected: JSON.stringify(figures),
      });
      return { status: 201, json: { data: planRecord(row, sight) } };
    },

    async GetSavedPlan({ params }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const row = await planRow(db, params.plan_id, generation, sight);
      const plan = planRecord(row, sight);
      const input = { request: plan.request, seen: seenBy(context.principal) };
      const progress = await inTime(context, 'checking the plan', (signal) =>
        planner.run(generation, 'progress', input, signal),
      );
      return { status: 200, json: { data: { ...plan, ...progress } } };
    },

    async UpdatePlan({ params, body: { name, description } }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const { userId, permissions } = requireUser(context.principal);
      const before = await planRow(db, params.plan_id, generation, sight);
      if (before.owner_id !== userId && !permissions.has('graphdb/Mutate')) throw apiError('planNotOwned');
      const row = await db.transaction().execute(async (transaction) => {
        if (name !== undefined && before.owner_id !== null)
          await requireNewPlanName(
            transaction,
            before.owner_id,
            { name, adoption: before.adoption === null ? null : '' },
            before.id,
          );
        const changed = await transaction
          .updateTable('saved_plan')
          .set({ name: name ?? before.name, description: description ?? before.description })
          .where('id', '=', before.id)
          .returningAll()
          .executeTakeFirstOrThrow(() => apiError('resourceNotFound'));
        const fields = { plan_id: changed.id, name: changed.name };
        await recordSuccess(transaction, context, 'UpdatePlan', fields);
        return changed;
      });
      return { status: 200, json: { data: planRecord(row, sight) } };
    },

    async DeletePlan({ params }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const { userId, permissions } = requireUser(context.principal);
      const { owner_id } = await planRow(db, params.plan_id, generation, sight);
      if (owner_id !== userId && !permissions.has('graphdb/Mutate')) throw apiError('planNotOwned');
      await db.transaction().execute(async (transaction) => {
        const gone = await transaction
          .deleteFrom('saved_plan')
          .where('id', '=', params.plan_id)
          .returning(['id', 'name'])
          .executeTakeFirst();
        if (gone === undefined) throw apiError('resourceNotFound');
        const fields = { plan_id: gone.id, name: gone.name };
        await recordSuccess(transaction, context, 'DeletePlan', fields);
      });
      return { status: 204 };
    },
  };
}

/** @throws ApiError 401 or 400 for callers who are not users */
export function viewOf(generation: Generation, { principal }: Pick<RequestContext, 'principal'>) {
  requireUser(principal);
  return { generation, sight: sightOf(generation, principal) };
}

/** @throws ApiError 404 if the plan is missing or changes objects that the user may not see */
export async function planRow(
  db: Db,
  id: number,
  generation: Generation,
  sight: Sight | undefined,
): Promise<Selectable<SavedPlanTable>> {
  const row = await db.selectFrom('saved_plan').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined || !seesPlan(row, generation, sight)) throw apiError('resourceNotFound');
  return row;
}

/** For deleted objects, their environments at the time of saving decide; plans of earlier releases do not have these. */
export function seesPlan(
  { request, environments }: Pick<Selectable<SavedPlanTable>, 'request' | 'environments'>,
  { graph }: Generation,
  sight: Sight | undefined,
): boolean {
  if (sight === undefined) return true;
  return (
    environments?.every((id) => sight.environments.has(id)) === true &&
    objectsOf(request as SimulationRequest).every(
      (id) => sight.isVisible(id) || findNamedNode(graph, id) === NO_NODE,
    )
  );
}

/** Converts a request to its stored form. Objects without an environment get one that no limited user has. */
export function changesOf(
  { graph }: Generation,
  request: SimulationRequest,
): Pick<Insertable<SavedPlanTable>, 'request' | 'environments'> {
  const environments = new Set(
    objectsOf(request).map((id) => {
      const node = findNamedNode(graph, id);
      const environment = node === NO_NODE ? NO_NODE : graph.environmentOf[node];
      return environment < graph.nodeCount ? objectIdOf(graph, environment) : '';
    }),
  );
  return { request: JSON.stringify(request), environments: JSON.stringify([...environments]) };
}

/**
 * A repeated request creates one plan. A saved plan and a started plan may have the same name.
 * @throws ApiError 409 if another plan of its owner has the name
 */
async function requireNewPlanName(
  db: Db,
  owner: string,
  { name, adoption = null }: Pick<Insertable<SavedPlanTable>, 'name' | 'adoption'>,
  except: number | null = null,
): Promise<void> {
  // Serializes concurrent requests.
  await sql`select pg_advisory_xact_lock(hashtext(${`plans ${owner}`}))`.execute(db);
  const taken = await db
    .selectFrom('saved_plan')
    .select('id')
    .where('owner_id', '=', owner)
    .where('name', '=', name)
    .where('adoption', adoption === null ? 'is' : 'is not', null)
    .where(sql<boolean>`id is distinct from ${except}::bigint`)
    .executeTakeFirst();
  if (taken !== undefined) throw apiError('duplicatePlan');
}

/** @throws ApiError 400 if there are too many, 409 if the user has a plan with the name */
export function savePlan(
  db: Db,
  context: RequestContext,
  action: 'CreatePlan' | 'AdoptPlan',
  values: Omit<Insertable<SavedPlanTable>, 'created_by' | 'owner_id'>,
): Promise<Selectable<SavedPlanTable>> {
  const { name, userId } = requireUser(context.principal);
  return db.transaction().execute(async (transaction) => {
    const { count } = await transaction
      .selectFrom('saved_plan')
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    if (count >= MAX_PLANS)
      throw apiError('malformedRequest', {
        reason: `there are already ${MAX_PLANS} plans, the maximum: delete one first`,
      });
    await requireNewPlanName(transaction, userId, values);
    const made = await transaction
      .insertInto('saved_plan')
      .values({ ...values, created_by: name, owner_id: userId })
      .returningAll()
      .executeTakeFirstOrThrow();
    const fields = { plan_id: made.id, name: made.name };
    await recordSuccess(transaction, context, action, fields);
    return made;
  });
}

/** The stored form of releases that did not count by environment. */
type OlderFigures = Omit<SavedPlan['expected'], 'not_shown'>;

export function planRecord(
  { id, name, description, created_by, created_at, adopted_at, ...row }: Selectable<SavedPlanTable>,
  sight: Sight | undefined,
): SavedPlan {
  const figures = row.expected as SimulatedFigures | OlderFigures;
  return {
    ...{ id, name, description, created_by, created_at, adopted_at },
    request: row.request as SavedPlan['request'],
    expected: 'closed_in' in figures ? shownFigures(figures, sight) : { ...figures, not_shown: [] },
  };
}
