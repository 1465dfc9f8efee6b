/** A repair of a plan in progress. */
import type { AdoptedRepair, AdoptionRecord, PackageRecord } from '@clew/api';

export interface StartedRepair {
  readonly plan: AdoptionRecord;
  readonly repair: AdoptedRepair;
}

export const isRepairOf = (
  repair: Pick<AdoptedRepair, 'key' | 'title'>,
  one: Pick<PackageRecord, 'key' | 'title'>,
): boolean => repair.key === one.key || repair.title === one.title;

/** The newest started plan that has the package. */
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
