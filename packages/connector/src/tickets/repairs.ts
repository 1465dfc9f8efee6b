/** Repairs of started plans, and their facts in tickets. Rule: `docs/integration.md#tickets`. */
import { createHash } from 'node:crypto';
import type { PlanCard, StartedChange, StartedPlan, StartedRepair } from './planSource.ts';

/** A repair with its plan and changes. */
export interface PlanRepair {
  /** Key of its ticket: equal in each run, and unique to the repair. */
  readonly key: string;
  readonly plan: StartedPlan;
  readonly repair: StartedRepair;
  readonly changes: readonly StartedChange[];
}

/** Label and tag of all tickets. */
export const COMMON_LABEL = 'clew';

/**
 * Derived from service, plan and repair. Plan numbers restart in a new database, so the start time is part of it.
 * @returns `clew-` and 32 hexadecimal digits
 */
export function repairKey(server: string, { plan_id, adopted_at }: StartedPlan, repair: number): string {
  const parts = JSON.stringify([server, plan_id, adopted_at, repair]);
  return `${COMMON_LABEL}-${createHash('sha256').update(parts).digest('hex').slice(0, 32)}`;
}

export function repairsOf(server: string, plan: StartedPlan): PlanRepair[] {
  const byNumber = new Map(plan.changes.map((change) => [change.number, change]));
  return plan.repairs.map((repair) => ({
    ...{ key: repairKey(server, plan, repair.number), plan, repair },
    changes: repair.changes.flatMap((number) => byNumber.get(number) ?? []),
  }));
}

export const isDone = ({ state }: StartedChange): boolean => state === 'done';

/** The latest analysis has facts of the change: it is not done, and they were seen. */
export const hasFacts = ({ state }: StartedChange): boolean => state !== 'done' && state !== 'not-seen';

/** An analysis shows that it is not done although it was marked as done, or that it was undone later. */
export const isContradicted = (change: StartedChange): boolean =>
  hasFacts(change) &&
  (change.marked === null ? change.state === 'undone' : change.marked.evidence === 'contradicted');

/** The change is still to do, as far as Clew knows. */
export const isToDo = (change: StartedChange): boolean =>
  hasFacts(change) && (change.marked === null || change.marked.evidence === 'contradicted');

export const isOver = ({ changes }: PlanRepair): boolean => changes.length > 0 && changes.every(isDone);

/** Whether no change is left to do, with or without proof: facts that were not seen again prove nothing. */
export const isSettled = ({ changes }: PlanRepair): boolean => changes.length > 0 && !changes.some(hasFacts);

export interface CardOfRepair {
  readonly card: PlanCard;
  /** Its place in the plan, from 1. */
  readonly number: number;
  readonly package: PlanCard['packages'][number];
}

/** The card of the current plan that has the repair; another analysis may have none. */
export function cardOf({ repair }: PlanRepair, cards: readonly PlanCard[]): CardOfRepair | undefined {
  for (const [at, card] of cards.entries())
    for (const one of card.packages) {
      const isSame = repair.key === null ? one.title === repair.title : one.key === repair.key;
      if (isSame) return { card, number: at + 1, package: one };
    }
  return undefined;
}
