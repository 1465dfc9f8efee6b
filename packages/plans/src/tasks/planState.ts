/** The state of the planning thread. */

import type { Generation } from '@clew/generation';
import type { EffortTable } from '@clew/model';
import { type AnalyzedWorld, exposuresOf, findingsOf, type RepairKind } from '@clew/planning';
import type { Database, Db } from '@clew/store';
import type { PlanRun } from './planRun.ts';

/** A generation with the input of its analysis. */
export interface PlanState {
  readonly generation: Generation;
  readonly world: AnalyzedWorld;
  readonly costs: Readonly<Partial<Record<RepairKind, number>>>;
  readonly efforts: EffortTable;
  readonly db: Db;
  /** For a dedicated connection, and for threads that read the store. */
  readonly database: Pick<Database, 'pool' | 'connection'>;
  /** The plan that was started while the generation was being published. */
  readonly begun?: PlanRun<PlanState, unknown>;
  /** The current state; computed once. */
  readonly before: () => ReturnType<typeof asIs>;
}

export const asIs = (world: AnalyzedWorld) => ({
  exposures: exposuresOf(world),
  findings: findingsOf(world),
});
