/** What the thread that plans works on. */
import { type AnalyzedWorld, exposuresOf, findingsOf, type RepairKind } from '@clew/analysis';
import type { Generation } from '@clew/generation';
import type { EffortTable } from '@clew/model';
import type { Db } from '@clew/store';

/** A generation with what it was analyzed from. */
export interface PlanState {
  readonly generation: Generation;
  readonly world: AnalyzedWorld;
  readonly costs: Readonly<Partial<Record<RepairKind, number>>>;
  readonly efforts: EffortTable;
  readonly db: Db;
  /** What is so now; worked out once. */
  readonly before: () => ReturnType<typeof asIs>;
}

export const asIs = (world: AnalyzedWorld) => ({
  exposures: exposuresOf(world),
  findings: findingsOf(world),
});
