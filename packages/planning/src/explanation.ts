/**
 * How a plan was made: which searches ran on what, the cases in which its graph is not exact, and the time of each stage. For users who
 * doubt a card, and for developers. Apart from the seconds, all of it is the same for the same facts.
 *
 * Rule: `docs/plan.md#how-a-plan-was-made`.
 */
import { addCount } from '@clew/graph';
import type { CountedException } from './relaxation/exceptions.ts';
import type { Steps } from './steps.ts';
import { usedMs } from './workTime.ts';

/**
 * In the order in which they run: first cards of wide packages, of the plan before, and of packages near crowded nodes; then the graph of all
 * packages, the search for their cards, the simulation of these, their bounds and alternatives, and what follows after the last card.
 */
export const PLAN_STAGES = [
  ...(['wide', 'previous', 'near', 'graph', 'search'] as const),
  ...(['simulation', 'bounds', 'decisions', 'left'] as const),
] as const;
export type PlanStage = (typeof PLAN_STAGES)[number];

export interface SearchRun {
  readonly packages: 'wide' | 'previous' | 'near' | 'all';
  /** `evaluated`: cards of the plan before, of which none is searched. */
  readonly way: 'whole' | 'cuts' | 'evaluated';
  /** The size of the plan graph. */
  readonly nodes: number;
  readonly steps: number;
  readonly repairs: number;
  /** Number of packages among which it chose. */
  readonly packageCount: number;
  /** Number of kernels that were made, and the steps of the largest. */
  readonly kernels: number;
  readonly kernelSteps: number;
  /** Flows that were made on them. */
  readonly flows: number;
  /** Packages of the plan before with which it began. */
  readonly seeds: number;
  readonly cards: number;
}

export interface PlanExplanation {
  readonly searches: readonly SearchRun[];
  readonly exceptions: readonly CountedException[];
  /** Processor seconds of the thread. Stages that did not run are left out. */
  readonly stages: readonly { readonly stage: PlanStage; readonly seconds: number }[];
}

export class StageTimes {
  readonly #ms = new Map<PlanStage, number>();

  /** @returns the result of the work */
  during<Result>(stage: PlanStage, work: () => Result): Result {
    const began = usedMs();
    try {
      return work();
    } finally {
      addCount(this.#ms, stage, usedMs() - began);
    }
  }

  /** Times work in steps; time between two steps does not count. */
  *steps<Result, Event>(stage: PlanStage, steps: Steps<Result, Event>): Steps<Result, Event> {
    for (;;) {
      const { done, value } = this.during(stage, () => steps.next());
      if (done === true) return value;
      yield value;
    }
  }

  get stages(): PlanExplanation['stages'] {
    return PLAN_STAGES.flatMap((stage) => {
      const ms = this.#ms.get(stage);
      return ms === undefined ? [] : [{ stage, seconds: Math.round(ms) / 1000 }];
    });
  }
}
