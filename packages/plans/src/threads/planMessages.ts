/** Requests to the planning thread. */

import type { GenerationFacts } from '@clew/generation';
import type { Cancel } from '@clew/graph';
import type { RulesMode, TraversableKindName } from '@clew/model';
import type { RepairKind } from '@clew/planning';
import type { ConnectionConfig } from '@clew/store';
import type { PLAN_TASKS } from '../tasks/planTasks.ts';
import type { ZonePlanRequest } from '../tasks/zonePlan.ts';

export type { PlanTaskProgress } from '../tasks/zonePlan.ts';

export interface PlanThreadOptions {
  /** Memory limit of the thread. */
  readonly memoryBytes?: number;
  readonly connection: ConnectionConfig;
  readonly logLevel: string;
  readonly rules: RulesMode;
  readonly costs: Readonly<Partial<Record<RepairKind, number>>>;
  /** Attack efforts that replace those of the table. */
  readonly efforts: Readonly<Partial<Record<TraversableKindName, number>>>;
}

/** A message other than the tasks: gathers the facts of a generation that is being published, and starts its plan. */
export const PREPARE = 'prepare';

/** A message other than the tasks: delivers the rest of a generation whose graph was announced before. */
export const COMPLETE = 'complete';

export interface Preparation {
  /** Facts that need not be read again. */
  readonly facts?: GenerationFacts | undefined;
  /** The plan that will be requested, if known. */
  readonly plan?: ZonePlanRequest | undefined;
  /** Set when the plan is requested: only the current step is then completed. */
  readonly enough: Cancel;
}

export type PlanTaskName = keyof typeof PLAN_TASKS;
export type PlanTaskInput<Name extends PlanTaskName> = Parameters<(typeof PLAN_TASKS)[Name]>[1];
export type PlanTaskResult<Name extends PlanTaskName> = Awaited<ReturnType<(typeof PLAN_TASKS)[Name]>>;
