/** Test helpers: comparisons of plan graphs. */

export { exposedAfter, exposedIn, graphOf } from './testing/comparedGraph.ts';
