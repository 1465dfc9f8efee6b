/** Test helpers: plan graphs, and comparisons of them. */
import { type PlanGraph, type PlanGraphInput, planGraph } from './relaxation/planGraph.ts';
import { finish } from './steps.ts';

export { exposedAfter, exposedIn, graphOf } from './testing/comparedGraph.ts';
export { randomDirectories, randomWorld } from './testing/randomDirectories.ts';
export type { PlanGraph };

export const wholePlanGraph = (input: PlanGraphInput): PlanGraph => finish(planGraph(input));
