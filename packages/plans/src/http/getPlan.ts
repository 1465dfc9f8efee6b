/**
 * The plan of a zone over HTTP. A stored plan is returned at once. While the plan is being computed, the request waits as long as
 * the client does, and then returns the previous plan, or 202 with the progress. A plan with other options is computed for the
 * request.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ComputingRecord, PlanRecord } from '@clew/api';
import type { Handler, RequestContext, RequestInput } from '@clew/common';
import { apiError, lastMoment, requireUser } from '@clew/common';
import { answersOf, environmentNamed } from '@clew/explore';
import type { Generation } from '@clew/generation';
import { DEFAULT_GOAL } from '@clew/model';
import { DEFAULT_COSTS } from '@clew/planning';
import { outcomeOf } from '../run/planMaker.ts';
import { withAccepted } from '../stored/acceptedOnCards.ts';
import {
  activeConstraints,
  basisOf,
  type CompletePlan,
  completePlan,
  draftPlan,
  type PlanOutcome,
  planRow,
} from '../stored/storedPlans.ts';
import type { StoredConstraint } from '../tasks/constraints.ts';
import { requireSeen, type Sight, seenBy, sightOf } from '../tasks/sight.ts';
import { inTime, type PlanParts, requireZone } from '../threads/planParts.ts';
import {
  type AskedPlan,
  baseRequest,
  isLate,
  isOther,
  makeAsked,
  ofOwnForests,
  requestOf,
} from './askedPlan.ts';
import { constraintRecord } from './constraintHandlers.ts';
import { planAnswer, shownComputing } from './planAnswer.ts';

const LOOK_MS = 200;
const MAX_VALUES = 100;

interface Asked extends AskedPlan {
  readonly limit: number;
  readonly explain: boolean;
}

export function getPlan(parts: PlanParts): Handler<'GetPlan'> {
  const { generations } = parts;
  return async (input, context) => {
    requireUser(context.principal);
    const asked = readAsked(input);
    const generation = generations.current();
    const sight = sightOf(generation, context.principal);
    requireSeen(sight, [...asked.environments, ...asked.within]);
    requireEnvironments(generation, 'environment', asked.environments);
    requireEnvironments(generation, 'within', asked.within);
    const found = await foundInTime(parts, asked.zone, generation, context);
    const own = { ...asked, ...ofOwnForests(asked, found.complete, sight) };
    if (isOther(own) && !found.isLate) {
      const isAnswered = !isOther(asked) && found.complete !== undefined;
      // The stored plan is the answer until the plan of the user's forests is ready.
      const other = await otherPlan(parts, own, generation, found, context).catch((error) => {
        if (!isAnswered || !isLate(error)) throw error;
        return undefined;
      });
      if (other === undefined) return answerWith(await storedAnswer(parts, asked, found, context, sight));
      if ('cards' in other || !isAnswered) return answerWith(other);
      return answerWith(
        await storedAnswer(parts, asked, { ...found, computing: other, isCurrent: false }, context, sight),
      );
    }
    if (found.complete === undefined) return answerWith(shownComputing(found.computing, sight));
    return answerWith(await storedAnswer(parts, asked, found, context, sight));
  };
}

const answerWith = (data: PlanRecord | ComputingRecord) =>
  'cards' in data ? { status: 200 as const, json: { data } } : { status: 202 as const, json: { data } };

async function storedAnswer(
  { db }: PlanParts,
  { limit, goal, explain }: Asked,
  { complete, constraints, computing, isCurrent, isOutdated }: Found,
  { principal }: RequestContext,
  sight: Sight | undefined,
): Promise<PlanRecord> {
  const { plan: stored, madeAt, without } = complete as CompletePlan;
  const plan = await withAccepted(db, stored, seenBy(principal));
  return planAnswer(
    {
      ...{ plan, madeAt, without, with: outcomeOf(stored), limit, goal, explain },
      ...{ constraints: constraints.map(constraintRecord), computing: isCurrent ? null : computing },
      isOutdated,
      answers: await answersOf(db),
    },
    sight,
  );
}

function readAsked({ query, rawQuery }: RequestInput<'GetPlan'>): Asked {
  const { asset_group_tag_id: zone, limit, goal = DEFAULT_GOAL, owned_by: ownedBy = null, explain } = query;
  const all = (name: string): string[] => {
    const values = rawQuery.getAll(name).filter((value) => value !== '');
    if (values.length > MAX_VALUES)
      throw apiError('malformedQueryParameter', { name, reason: `may be given at most ${MAX_VALUES} times` });
    return values;
  };
  const costs = Object.fromEntries(all('cost').map(readCost));
  return {
    ...{ zone, limit, goal, ownedBy, costs, explain },
    ...{ environments: all('environment'), within: all('within'), exclude: all('exclude') },
  };
}

/**
 * The plan of an environment that does not exist would look like that of a safe one.
 * @throws ApiError 400
 */
function requireEnvironments(generation: Generation, name: string, ids: readonly string[]): void {
  // Before the first analysis, no environment is known, and there is no plan.
  if (generation.id === 0) return;
  const unknown = ids.find((id) => environmentNamed(generation, id) === undefined);
  if (unknown !== undefined)
    throw apiError('malformedQueryParameter', { name, reason: `no environment has the id ${unknown}` });
}

function readCost(text: string): [kind: string, cost: number] {
  const refuse = (reason: string) => apiError('malformedQueryParameter', { name: 'cost', reason });
  const [kind = '', value = ''] = text.split(':');
  const cost = Number(value);
  if (!Object.hasOwn(DEFAULT_COSTS, kind)) throw refuse(`unknown kind of repair ${kind}`);
  if (value.trim() === '' || !(cost >= MIN_COST && cost <= MAX_COST))
    throw refuse(`a cost must be a number from ${MIN_COST} to ${MAX_COST}`);
  return [kind, cost];
}

const MIN_COST = 0.1;
const MAX_COST = 1000;

interface Found {
  readonly complete: CompletePlan | undefined;
  /** Whether the plan belongs to the latest analysis, and uses the current costs and constraints. */
  readonly isCurrent: boolean;
  /** Whether the plan was computed with other costs or constraints. */
  readonly isOutdated: boolean;
  readonly computing: ComputingRecord;
  readonly constraints: readonly StoredConstraint[];
  /** The time limit of the request is reached. */
  readonly isLate?: true;
}

/**
 * The previous plan, or the progress of the new one, is always available; if the store is slow, it is that of the last poll.
 * @throws ApiError 404 if the zone does not exist
 */
async function foundInTime(
  parts: PlanParts,
  zone: number,
  generation: Generation,
  context: RequestContext,
): Promise<Found> {
  let last: Found = {
    ...{ complete: undefined, isCurrent: false, isOutdated: false, constraints: [] },
    computing: {
      ...{ generation: generation.id, published_at: generation.publishedAt, started_at: null },
      ...{ card_count: 0, exposed_count: null, fault: null },
    },
  };
  try {
    return await inTime(context, 'the plan', async (signal) => {
      await requireZone(parts.db, zone);
      const deadline = lastMoment(context.deadline);
      return storedPlan(parts, zone, generation, { deadline, signal, onFound: (found) => (last = found) });
    });
  } catch (error) {
    if (!isLate(error)) throw error;
    return { ...last, isLate: true };
  }
}

/** Waits for the plan of the latest analysis as long as the client waits. @throws ApiError 400 if the zone has no plan */
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
    // First cards of the current state take precedence over all cards of an earlier one.
    const complete = isOfNow(draft) ? draft : (whole ?? draft);
    const row = isCurrent ? undefined : await planRow(db, zone, generation.id, basis);
    const computing = {
      ...{ generation: generation.id, published_at: generation.publishedAt },
      started_at: row?.state === 'computing' ? row.started_at : null,
      ...{ card_count: row?.cards ?? 0, exposed_count: row?.exposed ?? null, fault: row?.fault ?? null },
    };
    const isOutdated = complete !== undefined && complete.basis !== basis;
    const found = { complete, isCurrent, isOutdated, computing, constraints };
    onFound(found);
    // Before the first analysis, there is nothing to plan or wait for.
    if (generation.id === 0) return found;
    if (row?.state === 'failed' && complete === undefined)
      throw apiError('malformedRequest', {
        reason: row.fault ?? `zone ${zone} is not in the latest analysis`,
      });
    // Another process may be ahead and have the plan of a generation that this process does not know yet.
    const isNewer = (complete?.generation ?? 0) > generation.id;
    if (isCurrent || isNewer || Date.now() + LOOK_MS > deadline) return found;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/** Computes a plan other than the stored one. @returns its progress if it takes longer than the client waits */
async function otherPlan(
  parts: PlanParts,
  { limit, explain, ...asked }: Asked,
  generation: Generation,
  found: Found,
  context: RequestContext,
): Promise<PlanRecord | ComputingRecord> {
  const { complete, constraints } = found;
  const sight = sightOf(generation, context.principal);
  // Excluded keys may name cards of a plan that is not ready.
  let request = baseRequest(asked, constraints);
  try {
    request = await requestOf(parts, generation, asked, { complete, constraints, sight }, context);
    const plan = await makeAsked(parts, generation, request, context);
    return planAnswer(
      {
        ...{ plan, madeAt: new Date().toISOString().replace('Z', '000Z'), limit, goal: asked.goal, explain },
        ...{ without: comparable(asked, complete), with: outcomeOf(plan) },
        ...{ constraints: constraints.map(constraintRecord), computing: null },
        answers: await answersOf(parts.db),
      },
      sight,
    );
  } catch (error) {
    const progress = parts.variants.progressOf('zonePlan', request);
    if (!isLate(error) || progress === undefined) throw error;
    const { startedAt, done } = progress;
    const computing: ComputingRecord = {
      ...{ generation: generation.id, published_at: generation.publishedAt, fault: null },
      started_at: startedAt.toISOString().replace('Z', '000Z'),
      ...{ card_count: done?.cards ?? 0, exposed_count: done?.exposed ?? null },
    };
    return shownComputing(computing, sight);
  }
}

/** @returns the stored plan's outcome without the exclusions of the request, if it otherwise answers the same question */
function comparable(asked: AskedPlan, complete: CompletePlan | undefined): PlanOutcome | undefined {
  const isSame = !isOther({ ...asked, exclude: [] }) && asked.goal === DEFAULT_GOAL;
  return complete === undefined || !isSame ? undefined : outcomeOf(complete.plan);
}
