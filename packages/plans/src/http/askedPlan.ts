/**
 * Plans other than the stored one: with a lower goal, for some environments, with other costs, or without some changes. Each is
 * computed for the first request and kept until the next analysis.
 *
 * Rule: `docs/plan.md#order`.
 */
import { apiError, type RequestContext } from '@clew/common';
import type { Generation } from '@clew/generation';
import { DEFAULT_GOAL } from '@clew/model';
import type { CompletePlan } from '../stored/storedPlans.ts';
import { constraintFacts, type StoredConstraint } from '../tasks/constraints.ts';
import { type Sight, wholeEnvironments } from '../tasks/sight.ts';
import type { StoredCard, StoredPlan } from '../tasks/storedPlan.ts';
import type { ZonePlanRequest } from '../tasks/zonePlan.ts';
import { inTime, type PlanParts } from '../threads/planParts.ts';
import { seenPlan } from './planAnswer.ts';

export interface AskedPlan
  extends Pick<ZonePlanRequest, 'zone' | 'goal' | 'environments' | 'within' | 'ownedBy' | 'costs'> {
  /** Keys of packages and cards of the stored plan. */
  readonly exclude: readonly string[];
}

/** A lower goal than that of the stored plan needs a new plan; a higher goal is met by a prefix of its cards. */
export const isOther = ({ environments, within, ownedBy, costs, exclude, goal }: AskedPlan): boolean =>
  environments.length + within.length + exclude.length + Object.keys(costs).length > 0 ||
  ownedBy !== null ||
  goal < DEFAULT_GOAL;

/**
 * Replaces the question of a user who names no environment and may see all environments of some forests: the answer is the plan
 * of these forests, the same as for everyone who requests them. A partly visible forest has no figures, so its user gets the
 * stored plan.
 */
export function ofOwnForests(
  asked: AskedPlan,
  complete: CompletePlan | undefined,
  sight: Sight | undefined,
): AskedPlan {
  if (sight === undefined || complete === undefined || asked.environments.length > 0) return asked;
  const { forests } = complete.plan;
  const own = forests.filter((forest) => forest.some((id) => sight.environments.has(id)));
  const whole = wholeEnvironments(own, sight);
  const isWhole = own.length > 0 && own.length < forests.length && own.flat().every((id) => whole.has(id));
  return isWhole ? { ...asked, environments: [...whole].sort() } : asked;
}

interface Known {
  readonly complete: CompletePlan | undefined;
  readonly constraints: readonly StoredConstraint[];
  readonly sight: Sight | undefined;
}

/** @returns the question without the cards that it excludes */
export function baseRequest(
  { exclude: _, ...asked }: AskedPlan,
  constraints: readonly StoredConstraint[],
): ZonePlanRequest {
  return { ...asked, constraints: constraints.map(constraintFacts), previous: [] };
}

/** @throws ApiError 400 for excluded keys that are neither in the stored plan nor in the plan of the same question */
export async function requestOf(
  parts: Pick<PlanParts, 'variants'>,
  generation: Generation,
  { exclude, ...asked }: AskedPlan,
  { complete, constraints, sight }: Known,
  context: Pick<RequestContext, 'signal' | 'deadline'>,
): Promise<ZonePlanRequest> {
  const request = baseRequest({ ...asked, exclude }, constraints);
  if (exclude.length === 0) return request;
  const stored = complete === undefined ? [] : seenPlan(complete.plan, sight).cards;
  // Another question has other cards, with their own keys.
  const isKnown = exclude.every((key) => packagesOf(stored, key).length > 0);
  const own =
    isKnown || !isOther({ ...asked, exclude: [] })
      ? []
      : seenPlan(await makeAsked(parts, generation, request, context), sight).cards;
  const excluded = exclude.map((key) => excludedBy([...own, ...stored], key));
  return { ...request, constraints: [...request.constraints, ...excluded] };
}

/** @throws ApiError 503 if it takes longer than the client's time limit */
export const makeAsked = (
  { variants }: Pick<PlanParts, 'variants'>,
  generation: Generation,
  request: ZonePlanRequest,
  context: Pick<RequestContext, 'signal' | 'deadline'>,
): Promise<StoredPlan> =>
  inTime(context, 'this plan', () =>
    variants.keep(generation, 'zonePlan', request, new AbortController().signal),
  );

/** @returns whether the error means that the plan takes longer than the client waits */
export const isLate = (error: unknown): boolean => (error as { code?: string }).code === 'notReady';

/** @param key of a package, or of a card with all of its packages */
const packagesOf = (cards: readonly StoredCard[], key: string) =>
  cards.flatMap((card) =>
    card.key === key ? card.packages : card.packages.filter((one) => one.key === key),
  );

function excludedBy(cards: readonly StoredCard[], key: string) {
  const packages = packagesOf(cards, key);
  if (packages.length === 0)
    throw apiError('malformedQueryParameter', {
      name: 'exclude',
      reason: `the plan has no package or card ${key}`,
    });
  return {
    ...{ subject: 'repairs' as const, object_id: null, repair_kind: null },
    repairs: packages.flatMap(({ references }) => references),
  };
}
