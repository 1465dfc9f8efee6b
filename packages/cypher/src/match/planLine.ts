/** The lines of a plan, which count the rows of their steps. */
import type { ConditionCount } from '../run/conditionCount.ts';
import type { NodeElement } from './elements.ts';
import type { Step } from './steps.ts';

/** One line of a plan, for people. */
export interface PlanLine {
  readonly step: string;
  readonly detail: string;
  /** Rows that the planner expects; absent where it does not know. */
  readonly estimate?: number;
  /** Number of its rows, once it has run. */
  rows: number;
  /** Spent in this step alone, where that was asked for. */
  milliseconds?: number;
}

/** A line with the conditions that are tested within it, in their order. */
export interface Stage {
  readonly line: PlanLine;
  readonly conditions: readonly ConditionCount[];
}

/** The step, which writes its rows into the line. */
export function countedStep(step: Step, line: PlanLine, isTimed: boolean): Step {
  if (isTimed) return timed(step, line);
  return (next) =>
    step((row) => {
      line.rows++;
      return next(row);
    });
}

/** Takes the time of a step, less that of the steps that follow it. */
function timed(step: Step, line: PlanLine): Step {
  line.milliseconds = 0;
  const spend = (sign: 1 | -1, began: number): void => {
    line.milliseconds = (line.milliseconds as number) + sign * (performance.now() - began);
  };
  return (next) => {
    const run = step((row) => {
      line.rows++;
      const began = performance.now();
      try {
        return next(row);
      } finally {
        spend(-1, began);
      }
    });
    return (row) => {
      const began = performance.now();
      try {
        return run(row);
      } finally {
        spend(1, began);
      }
    };
  };
}

export function shownNode({ name, labels }: NodeElement): string {
  return `(${name.startsWith(' ') ? '' : name}${labels.map((any) => `:${any.join('|')}`).join('')})`;
}
