/** A repair of a started plan. */
import type { AdoptedRepair, AdoptionRecord, PackageRecord } from '@clew/api';

export interface StartedRepair {
  readonly plan: AdoptionRecord;
  readonly repair: AdoptedRepair;
}

/** Numbers of a started plan and one of its repairs. */
export interface StartedId {
  readonly plan: number;
  readonly repair: number;
}

/** The page of a repair of a started plan, even if it is missing in the newest plan. */
export const startedPath = (plan: number, repair: number): string => `/fix/${plan}-${repair}`;

/** @param id of a page @returns the numbers of a plan and its repair; `undefined` for the key of a card */
export function startedOf(id: string): StartedId | undefined {
  const [, plan, repair] = /^(\d+)-(\d+)$/.exec(id) ?? [];
  return plan === undefined ? undefined : { plan: Number(plan), repair: Number(repair) };
}

export const isRepairOf = (
  repair: Pick<AdoptedRepair, 'key' | 'title'>,
  one: Pick<PackageRecord, 'key' | 'title'>,
): boolean => repair.key === one.key || repair.title === one.title;

/** The repair in the newest started plan that contains the package. */
export const startedRepair = (
  plans: readonly AdoptionRecord[],
  one: Pick<PackageRecord, 'key' | 'title'>,
): StartedRepair | undefined => {
  for (const plan of plans) {
    const repair = plan.repairs.find((each) => isRepairOf(each, one));
    if (repair !== undefined) return { plan, repair };
  }
  return undefined;
};
