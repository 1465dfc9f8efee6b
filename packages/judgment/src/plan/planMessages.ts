/** Requests to the planning thread. */
import type { RepairKind } from '@clew/analysis';
import type { RulesMode, TraversableKindName } from '@clew/model';
import type { ConnectionConfig } from '@clew/store';
import type { PLAN_TASKS } from './planTasks.ts';

export type { PlanTaskProgress } from './zonePlan.ts';

export interface PlanThreadOptions {
  /** That the thread may take. */
  readonly memoryBytes?: number;
  readonly connection: ConnectionConfig;
  readonly logLevel: string;
  readonly rules: RulesMode;
  readonly costs: Readonly<Partial<Record<RepairKind, number>>>;
  /** Attack efforts that replace those of the table. */
  readonly efforts: Readonly<Partial<Record<TraversableKindName, number>>>;
}

/** In addition to the tasks: reads the facts of a generation that is being published. */
export const PREPARE = 'prepare';

export type PlanTaskName = keyof typeof PLAN_TASKS;
export type PlanTaskInput<Name extends PlanTaskName> = Parameters<(typeof PLAN_TASKS)[Name]>[1];
export type PlanTaskResult<Name extends PlanTaskName> = Awaited<ReturnType<(typeof PLAN_TASKS)[Name]>>;
