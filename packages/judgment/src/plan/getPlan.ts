/**
 * The plan of a zone over HTTP. A stored plan is returned at once; one that is being made is awaited as long as the client waits,
 * then the plan before it is returned, or 202 with its progress. A plan with other options is made for the request.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_COSTS } from '@clew/analysis';
import type { ComputingRecord } from '@clew/api';
import { apiError, type Handler, type RequestContext, type RequestInput, requireUser } from '@clew/common';
import { answersOf } from '@clew/explore';
import type { Generation } from '@clew/generation';
import { DEFAULT_GOAL } from '@clew/model';
import { withAccepted } from './acceptedOnCards.ts';
import { constraintRecord } from './constraintHandlers.ts';
import { planAnswer, seenPlan, shownComputing } from './planAnswer.ts';
import { outcomeOf } from './planMaker.ts';
import { inTime, type PlanParts, requireZone } from './planParts.ts';
import { requireSeen, type Sight, seenBy, sightOf } from './sight.ts';
import {
  activeConstraints,
  basisOf,
  type CompletePlan,
  completePlan,
  constraintFacts,
  draftPlan,
  planRow,
  type StoredConstraint,
} from './storedPlans.ts';
import type { ZonePlanRequest } from './zonePlan.ts';

const LOOK_MS = 200;
/** Reserved from the time of a request to answer with the available results. */
const ANSWER_MS = 400;
const MAX_VALUES = 100;

type Asked = Pick<ZonePlanRequest, 'environments' | 'within' | 'ownedBy' | 'costs'> & {
  readonly zone: number;
  readonly limit: number;
  readonly goal: number;
  readonly exclude: readonly string[];
};

export function getPlan(parts: PlanParts): Handler<'GetPlan'> {
  const { generations } = parts;
  return async (input, context) => {
    requireUser(context.principal);
    const asked = readAsked(input);
    const generation = generations.current();
    const sight = sightOf(generation, context.principal);
    requireSeen(sight, [...asked.environments, ...asked.within]);
    const found = await foundInTime(parts, asked.zone, generation, context);
    if (isOther(asked) && !found.isLate) return otherPlan(parts, asked, generation, found, context);
    if (found.complete === undefined)
      return { status: 202, json: { data: shownComputing(found.computing, sight) } };
    const { complete, constraints } = found;
    const plan = await withAccepted(parts.db, complete.plan, seenBy(context.principal));
    const data = planAnswer(
      {
        ...{ plan, madeAt: complete.madeAt, without: complete.without },
        ...{ with: outcomeOf(complete.plan), constraints: constraints.map(constraintRecord) },
        ...{ computing: found.isCurrent ? null : found.computing, limit: asked.limit, goal: asked.goal },
        answers: await answersOf(parts.db),
      },
      sight,
    );
    return { status: 200, json: { data } };
  };
}

/** A goal below that of the stored plan has to be planned for; one above is met by fewer of its cards. */
const isOther = ({ environments, within, ownedBy, costs, exclude, goal }: Asked): boolean =>
  environments.length + within.length + exclude.length + Object.keys(costs).length > 0 ||
  ownedBy !== null ||
  goal < DEFAULT_GOAL;

function readAsked({ query, rawQuery }: RequestInput<'GetPlan'>): Asked {
  const { asset_group_tag_id: zone, limit, goal = DEFAULT_GOAL, owned_by: ownedBy = null } = query;
  const all = (name: string): string[] => {
    const values = rawQuery.getAll(name).filter((value) => value !== '');
    if (values.length > MAX_VALUES)
      throw apiError('malformedQueryParameter', { name, reason: `may be given ${MAX_VALUES} times at most` });
    return values;
  };
  const costs = Object.fromEntries(all('cost').map(readCost));
  return {
    ...{ zone, limit, goal, ownedBy, costs },
    ...{ environments: all('environment'), within: all('within'), exclude: all('exclude') },
  };
}

function readCost(text: string): [kind: string, cost: number] {
  const refuse = (reason: string) => apiError('malformedQueryParameter', { name: 'cost', reason });
  const [kind = '', value = ''] = text.split(':');
  const cost = Number(value);
  if (!Object.hasOwn(DEFAULT_COSTS, kind)) throw refuse(`unknown kind of repair ${kind}`);
  if (value.trim() === '' || !(cost >= MIN_COST && cost <= MAX_COST))
    throw refuse(`a cost is a number from ${MIN_COST} to ${MAX_COST}`);
  return [kind, cost];
}

const MIN_COST = 0.1;
const MAX_COST = 1000;

interface Found {
  readonly complete: CompletePlan | undefined;
  /** Whether it is of the newest analysis, with the present costs and constraints. */
  readonly isCurrent: boolean;
  readonly computing: ComputingRecord;
  readonly constraints: readonly StoredConstraint[];
  /** The time of the request is over. */
  readonly isLate?: true;
}

/**
 * The plan before, or how far the new one is, is an answer at any time: where the store is slow, that of the last look.
 * @throws ApiError 404 for a zone that is not there
 */
async function foundInTime(
  parts: PlanParts,
  zone: number,
  generation: Generation,
  context: RequestContext,
): Promise<Found> {
  let last: Found = {
    ...{ complete: undefined, isCurrent: false, constraints: [] },
    computing: {
      ...{ generation: generation.id, published_at: generation.publishedAt, started_at: null },
      ...{ card_count: 0, exposed_count: null, fault: null },
    },
  };
  try {
    return await inTime(context, 'the plan', async (signal) => {
      await requireZone(parts.db, zone);
      const { deadline } = context;
      return storedPlan(parts, zone, generation, { deadline, signal, onFound: (found) => (last = found) });
    });
  } catch (error) {
    if (!isLate(error)) throw error;
    return { ...last, isLate: true };
  }
}

/** Waits for the plan of the newest analysis as long as the client does. @throws ApiError 400 for a zone without one */
async function storedPlan(
  { db, costs }: PlanParts,
  zone: number,
  generation: Generation,
  {
    deadline,
    signal,
    onFound,
  }: Pick<RequestContext, 'deadline' | 'signal'> & { readonly onFound: (found: Found) => void },
): Promise<Found> {
  for (;;) {
    const constraints = await activeConstraints(db);
    const basis = basisOf(costs, constraints);
    const whole = await completePlan(db, zone);
    const isOfNow = (plan: CompletePlan | undefined): boolean =>
      plan?.generation === generation.id && plan.basis === basis;
    const isCurrent = isOfNow(whole);
    const draft = isCurrent ? undefined : await draftPlan(db, zone);
    // The first cards of the present state take precedence over all cards of an earlier one.
    const complete = isOfNow(draft) ? draft : (whole ?? draft);
    const row = isCurrent ? undefined : await planRow(db, zone, generation.id, basis);
    const computing = {
      ...{ generation: generation.id, published_at: generation.publishedAt },
      started_at: row?.state === 'computing' ? row.started_at : null,
      ...{ card_count: row?.cards ?? 0, exposed_count: row?.exposed ?? null, fault: row?.fault ?? null },
    };
    const found = { complete, isCurrent, computing, constraints };
    onFound(found);
    // Before the first analysis there is nothing to plan, and nothing that could be waited for.
    if (generation.id === 0) return found;
    if (row?.state === 'failed' && complete === undefined)
      throw apiError('malformedRequest', {
        reason: row.fault ?? `zone ${zone} is not in the newest analysis`,
      });
    // Another process may be ahead: it has the plan of a generation that is not known here yet.
    const isNewer = (complete?.generation ?? 0) > generation.id;
    if (isCurrent || isNewer || Date.now() + ANSWER_MS + LOOK_MS > deadline) return found;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/** A plan that is not the stored one: worked out for this question, and kept until the next analysis. */
async function otherPlan(
  { db, variants }: PlanParts,
  asked: Asked,
  generation: Generation,
  { complete, constraints }: Found,
  context: RequestContext,
): ReturnType<Handler<'GetPlan'>> {
  const { zone, limit, goal, environments, within, ownedBy, costs, exclude } = asked;
  const sight = sightOf(generation, context.principal);
  const input: ZonePlanRequest = {
    ...{ zone, goal, environments, within, ownedBy, costs },
    constraints: [...constraints.map(constraintFacts), ...excludedBy(complete, exclude, sight)],
    previous: [],
  };
  try {
    const plan = await inTime(context, 'this plan', () =>
      variants.keep(generation, 'zonePlan', input, new AbortController().signal),
    );
    const data = planAnswer(
      {
        ...{ plan, madeAt: new Date().toISOString().replace('Z', '000Z'), limit, goal },
        ...{ without: complete === undefined ? undefined : outcomeOf(complete.plan), with: outcomeOf(plan) },
        ...{ constraints: constraints.map(constraintRecord), computing: null },
        answers: await answersOf(db),
      },
      sight,
    );
    return { status: 200, json: { data } };
  } catch (error) {
    const progress = variants.progressOf('zonePlan', input);
    if (!isLate(error) || progress === undefined) throw error;
    const { startedAt, done } = progress;
    const data: ComputingRecord = {
      ...{ generation: generation.id, published_at: generation.publishedAt, fault: null },
      started_at: startedAt.toISOString().replace('Z', '000Z'),
      ...{ card_count: done?.cards ?? 0, exposed_count: done?.exposed ?? null },
    };
    return { status: 202, json: { data: shownComputing(data, sight) } };
  }
}

const isLate = (error: unknown): boolean => (error as { code?: string }).code === 'notReady';

/** @throws ApiError 400 for keys that the stored plan does not have */
function excludedBy(complete: CompletePlan | undefined, keys: readonly string[], sight: Sight | undefined) {
  const cards = complete === undefined ? [] : seenPlan(complete.plan, sight).cards;
  return keys.map((key) => {
    const packages = cards.flatMap((card) =>
      card.key === key ? card.packages : card.packages.filter((one) => one.key === key),
    );
    if (packages.length === 0)
      throw apiError('malformedQueryParameter', {
        name: 'exclude',
        reason: `the plan has no package or card ${key}`,
      });
    return {
      ...{ subject: 'repairs' as const, object_id: null, repair_kind: null },
      repairs: packages.flatMap(({ references }) => references),
    };
  });
}
