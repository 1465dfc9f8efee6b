/**
 * Plans other than the stored one: with a lower goal, for some environments, with other costs, or without some changes. Each is made for
 * the first request and kept until the next analysis.
 *
 * Rule: `docs/plan.md#order`.
 */
import { apiError, type RequestContext } from '@clew/common';
import type { Generation } from '@clew/generation';
import { DEFAULT_GOAL } from '@clew/model';
import type { CompletePlan } from '../stored/storedPlans.ts';
import { constraintFacts, type StoredConstraint } from '../tasks/constraints.ts';
import type { Sight } from '../tasks/sight.ts';
import type { StoredPlan } from '../tasks/storedPlan.ts';
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

/** @throws ApiError 400 for keys that the stored plan does not have */
export const requestOf = (
  { exclude, ...asked }: AskedPlan,
  { complete, constraints }: { complete: CompletePlan | undefined; constraints: readonly StoredConstraint[] },
  sight: Sight | undefined,
): ZonePlanRequest => ({
  ...asked,
  constraints: [...constraints.map(constraintFacts), ...excludedBy(complete, exclude, sight)],
  previous: [],
});

/** @throws ApiError 503 if it takes longer than the client waits */
export const makeAsked = (
  { variants }: Pick<PlanParts, 'variants'>,
  generation: Generation,
  request: ZonePlanRequest,
  context: Pick<RequestContext, 'signal' | 'deadline'>,
): Promise<StoredPlan> =>
  inTime(context, 'this plan', () =>
    variants.keep(generation, 'zonePlan', request, new AbortController().signal),
  );

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
