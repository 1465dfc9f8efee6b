/** Messages between the event loop and the thread that plans. */
import type { RepairKind } from '@clew/analysis';
import type { GenerationMessage } from '@clew/generation';
import type { Cancel } from '@clew/graph';
import type { RulesMode } from '@clew/model';
import type { ConnectionConfig } from '@clew/store';
import type { PLAN_TASKS } from './planTasks.ts';

export interface PlanThreadOptions {
  readonly connection: ConnectionConfig;
  readonly logLevel: string;
  readonly rules: RulesMode;
  readonly costs: Readonly<Partial<Record<RepairKind, number>>>;
}

export type PlanTaskName = keyof typeof PLAN_TASKS;
export type PlanTaskInput<Name extends PlanTaskName> = Parameters<(typeof PLAN_TASKS)[Name]>[1];
export type PlanTaskResult<Name extends PlanTaskName> = Awaited<ReturnType<(typeof PLAN_TASKS)[Name]>>;

export type ToPlanThread =
  | {
      readonly type: 'run';
      readonly id: number;
      readonly task: PlanTaskName;
      readonly input: unknown;
      /** With the first task of a generation. */
      readonly message?: GenerationMessage;
      readonly cancel: Cancel;
    }
  | { readonly type: 'end' };

export type FromPlanThread =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } };
