/** Plan lines, which count the rows of their steps. */
import type { ConditionCount } from '../run/conditionCount.ts';
import type { NodeElement } from './elements.ts';
import type { Step } from './steps.ts';

/** One line of a plan, as shown to users. */
export interface PlanLine {
  readonly step: string;
  readonly detail: string;
  /** Estimated number of rows; absent if unknown. */
  readonly estimate?: number;
  /** Actual number of rows after the run. */
  rows: number;
  /** Time spent in this step alone, if the query is profiled. */
  milliseconds?: number;
}

/** A plan line with the conditions tested in its step, in order. */
export interface Stage {
  readonly line: PlanLine;
  readonly conditions: readonly ConditionCount[];
  /** Whether a node has the labels that the step needs; absent if all nodes do. */
  readonly hasLabels?: (node: number) => boolean;
}

/** Wraps the step to count its rows in the plan line. */
export function countedStep(step: Step, line: PlanLine, isTimed: boolean): Step {
  if (isTimed) return timed(step, line);
  return (next) =>
    step((row) => {
      line.rows++;
      return next(row);
    });
}

/** Measures the time of a step, excluding later steps. */
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
