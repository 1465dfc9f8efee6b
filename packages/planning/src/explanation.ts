/**
 * Explains how a plan was computed: its searches and their packages, the cases in which its graph is inexact, and the time of
 * each stage. It is intended for users who doubt a card, and for developers. Everything except the seconds is deterministic.
 *
 * Rule: `docs/plan.md#how-a-plan-was-made`.
 */
import { addCount } from '@clew/graph';
import type { CountedException } from './relaxation/exceptions.ts';
import type { Steps } from './steps.ts';
import { usedMs } from './workTime.ts';

/**
 * Stages in execution order: first cards of wide packages, of the previous plan, and of packages near crowded nodes; then the graph of all
 * packages, the search for their cards, their simulation, their bounds and alternatives, and the work after the last card.
 */
export const PLAN_STAGES = [
  ...(['wide', 'previous', 'near', 'graph', 'search'] as const),
  ...(['simulation', 'bounds', 'decisions', 'left'] as const),
] as const;
export type PlanStage = (typeof PLAN_STAGES)[number];

export interface SearchRun {
  readonly packages: 'wide' | 'previous' | 'near' | 'all';
  /** `evaluated`: the cards of the previous plan were evaluated without a search. */
  readonly way: 'whole' | 'cuts' | 'evaluated';
  /** The size of the plan graph. */
  readonly nodes: number;
  readonly steps: number;
  readonly repairs: number;
  /** Number of packages in the search. */
  readonly packageCount: number;
  /** Number of kernels built, and the steps of the largest. */
  readonly kernels: number;
  readonly kernelSteps: number;
  /** Number of flows computed on them. */
  readonly flows: number;
  /** Packages of the previous plan that seeded the search. */
  readonly seeds: number;
  readonly cards: number;
}

export interface PlanExplanation {
  readonly searches: readonly SearchRun[];
  readonly exceptions: readonly CountedException[];
  /** CPU seconds of the thread. Stages that did not run are missing. */
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

  /** Times stepwise work; the time between two steps does not count. */
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
