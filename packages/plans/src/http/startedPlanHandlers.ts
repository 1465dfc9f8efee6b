/** Started plans over HTTP: starting a plan, its progress, and the changes that users report as done. */

import { ADOPTION_COLUMNS, type NewAdoption } from '@clew/api';
import type { Handlers, RequestContext } from '@clew/common';
import { apiError, recordPage, recordSuccess, requireUser } from '@clew/common';
import { writeMentions } from '@clew/judgment';
import { counted, DEFAULT_GOAL } from '@clew/model';
import { type Db, TIER_ZERO } from '@clew/store';
import { notePlanFindings } from '../stored/planFindings.ts';
import { planProof } from '../stored/planProof.ts';
import { changesOf, planRecord, planRow, savePlan, seesPlan, viewOf } from '../stored/savedPlans.ts';
import { type Mark, startedPlanRecord, startedPlanRecords } from '../stored/startedPlans.ts';
import { activeConstraints, completePlan } from '../stored/storedPlans.ts';
import { withSources } from '../tasks/relationSources.ts';
import { objectsOf, requireSeen, seenBy } from '../tasks/sight.ts';
import type { PromisedCard, StartedPlan } from '../tasks/startedFacts.ts';
import type { StoredCard, StoredPlan } from '../tasks/storedPlan.ts';
import { inTime, type PlanParts, requireZone } from '../threads/planParts.ts';
import { isLate, isOther, makeAsked, ofOwnForests, requestOf } from './askedPlan.ts';
import { seenPlan } from './planAnswer.ts';

type Operations = 'AdoptPlan' | 'ListAdoptedPlans' | 'GetAdoptedPlan' | 'GetPlanProof' | 'MarkPlanChanges';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export function startedPlanHandlers(parts: PlanParts): Handlers<Operations> {
  const { db, generations, planner, sessionDays } = parts;
  return {
    async AdoptPlan({ body }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const { name, description = '', asset_group_tag_id: zone = TIER_ZERO, cards: keys }: NewAdoption = body;
      await requireZone(db, zone);
      const known = await knownPlan(parts, body, context);
      const cards = chosenCards(known.cards, keys);
      const packages = cards.flatMap((card) => card.packages);
      const cut = packages.find(({ change_count, references }) => references.length < change_count);
      if (cut !== undefined)
        throw apiError('malformedRequest', {
          reason: `"${cut.title}" has ${cut.change_count} changes, too many to track individually`,
        });
      const request = { asset_group_tag_id: zone, repairs: packages.flatMap(({ references }) => references) };
      requireSeen(sight, objectsOf(request));
      const input = { request, seen: seenBy(context.principal) };
      const { figures } = await inTime(context, 'the simulation', (signal) =>
        planner.run(generation, 'simulate', input, signal),
      );
      const started = await inTime(context, 'starting the plan', (signal) =>
        planner.run(
          generation,
          'startedPlan',
          {
            zone,
            packages: packages.map(({ key, title, title_parts, references }) => ({
              ...{ key, title, references },
              ...(title_parts !== undefined && { title_parts }),
            })),
            cards: cards.map((card) => promiseOf(known, cards, card)),
          },
          signal,
        ),
      );
      const plan = await withSources(db, started);
      const collected = generation.environments.filter((one) => one.collected).map(({ id }) => id);
      const row = await savePlan(db, context, 'AdoptPlan', {
        ...{ name, description, adopted_at: new Date(), ...changesOf(generation, request) },
        ...{ expected: JSON.stringify(figures), adoption: JSON.stringify({ ...plan, collected }) },
      });
      await notePlanFindings(db, row.id, zone, cards);
      return { status: 201, json: { data: planRecord(row, sight) } };
    },

    async ListAdoptedPlans(input, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const records = await startedPlanRecords({ db, generation, sight, sessionDays }, (row) =>
        seesPlan(row, generation, sight),
      );
      return { status: 200, json: recordPage(records, ADOPTION_COLUMNS, input) };
    },

    async GetAdoptedPlan({ params }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const row = await planRow(db, params.plan_id, generation, sight);
      if (row.adoption === null) throw apiError('resourceNotFound');
      return {
        status: 200,
        json: { data: await startedPlanRecord(row, { db, generation, sight, sessionDays }) },
      };
    },

    async GetPlanProof({ params, query }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const row = await planRow(db, params.plan_id, generation, sight);
      if (row.adoption === null) throw apiError('resourceNotFound');
      if (query.month !== undefined && !MONTH.test(query.month))
        throw apiError('malformedQueryParameter', {
          name: 'month',
          reason: 'must be a month, such as 2026-12',
        });
      const view = { db, generation, sight, sessionDays };
      const record = await startedPlanRecord(row, view);
      const user = requireUser(context.principal);
      return { status: 200, json: { data: await planProof({ row, record }, view, { ...query, user }) } };
    },

    async MarkPlanChanges({ params, body: { changes, done, note = '' } }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const row = await planRow(db, params.plan_id, generation, sight);
      const count = changeCount(row.adoption as StartedPlan | null);
      const unknown = changes.find((number) => number > count);
      if (unknown !== undefined)
        throw apiError('malformedRequest', {
          reason:
            count === 0
              ? 'the plan was not started'
              : `the plan has ${counted(count, 'change')}, and no ${unknown}`,
        });
      await mark(db, context, { plan: row.id, name: row.name, changes, done, note });
      const marked = await planRow(db, row.id, generation, sight);
      return {
        status: 200,
        json: { data: await startedPlanRecord(marked, { db, generation, sight, sessionDays }) },
      };
    },
  };
}

/** The cards that a user saw, and the exposure before the first. */
type KnownPlan = Pick<StoredPlan, 'before' | 'cards'>;

/** The exposure after a card assumes all cards before it. */
function promiseOf(
  { before, cards }: KnownPlan,
  chosen: readonly StoredCard[],
  card: StoredCard,
): PromisedCard {
  const at = cards.indexOf(card);
  const common = { key: card.key, package_count: card.packages.length };
  if (!cards.slice(0, at).every((earlier) => chosen.includes(earlier)))
    return { ...common, before: [], after: [], has_no_promise: true };
  return { ...common, before: cards[at - 1]?.exposure ?? before, after: card.exposure };
}

/** @returns the plan that the user saw: `GetPlan` with the same goal and environments */
async function knownPlan(
  parts: PlanParts,
  { asset_group_tag_id: zone = TIER_ZERO, goal = DEFAULT_GOAL, environments = [], cards: keys }: NewAdoption,
  context: RequestContext,
): Promise<KnownPlan> {
  const { generation, sight } = viewOf(parts.generations.current(), context);
  requireSeen(sight, environments);
  const complete = await completePlan(parts.db, zone);
  if (complete === undefined) return { before: [], cards: [] };
  const asked = ofOwnForests(
    { zone, goal, environments, within: [], ownedBy: null, costs: {}, exclude: [] },
    complete,
    sight,
  );
  if (!isOther(asked)) return seenPlan(complete.plan, sight);
  const known = { complete, constraints: await activeConstraints(parts.db), sight };
  const request = await requestOf(parts, generation, asked, known, context);
  // `GetPlan` returns the stored plan until the plan of the user's forests is ready.
  const isStoredShown = keys !== undefined && goal === DEFAULT_GOAL && environments.length === 0;
  const stored = isStoredShown ? seenPlan(complete.plan, sight) : { before: [], cards: [] };
  const hasAll = ({ cards }: KnownPlan): boolean =>
    keys?.every((key) => cards.some((card) => card.key === key)) ?? true;
  const own = await makeAsked(parts, generation, request, context).catch((error) => {
    if (!isStoredShown || !hasAll(stored) || !isLate(error)) throw error;
    return undefined;
  });
  if (own === undefined) return stored;
  const seen = seenPlan(own, sight);
  return !hasAll(seen) && isStoredShown && hasAll(stored) ? stored : seen;
}

const changeCount = (plan: StartedPlan | null): number =>
  (plan?.packages ?? []).reduce((sum, { changes }) => sum + changes.length, 0);

interface NewMarks {
  readonly plan: number;
  readonly name: string;
  readonly changes: readonly number[];
  readonly done: boolean;
  readonly note: string;
}

/** Concurrent marks are both recorded. */
function mark(db: Db, context: RequestContext, { plan, name, changes, done, note }: NewMarks): Promise<void> {
  const { name: by } = requireUser(context.principal);
  return db.transaction().execute(async (transaction) => {
    const { marks } = await transaction
      .selectFrom('saved_plan')
      .select('marks')
      .where('id', '=', plan)
      .forUpdate()
      .executeTakeFirstOrThrow(() => apiError('resourceNotFound'));
    const kept = ((marks ?? []) as readonly Mark[]).filter(({ change }) => !changes.includes(change));
    const at = new Date().toISOString().replace('Z', '000Z');
    const made = done ? [...new Set(changes)].map((change): Mark => ({ change, by, at, note })) : [];
    await transaction
      .updateTable('saved_plan')
      .set({ marks: JSON.stringify([...kept, ...made].sort((a, b) => a.change - b.change)) })
      .where('id', '=', plan)
      .execute();
    const about = { place: 'change', plan_id: plan, numbers: [...new Set(changes)] } as const;
    await writeMentions(transaction, { at: about, text: done ? note : '', author: context.principal });
    const fields = { plan_id: plan, name, changes: changes.join(', '), done, note };
    await recordSuccess(transaction, context, 'MarkPlanChanges', fields);
  });
}

/** @throws ApiError 400 for unknown cards, and for a plan without cards */
function chosenCards(all: readonly StoredCard[], keys: readonly string[] | undefined): readonly StoredCard[] {
  const unknown = keys?.find((key) => !all.some((card) => card.key === key));
  if (unknown !== undefined)
    throw apiError('malformedRequest', { reason: `the plan has no card ${unknown}` });
  const chosen = keys === undefined ? all : all.filter(({ key }) => keys.includes(key));
  if (chosen.length === 0)
    throw apiError('malformedRequest', { reason: 'the plan has no card to start with' });
  return chosen;
}
