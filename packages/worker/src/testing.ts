/** Helpers that tests of other packages share with those of this one. */

export { createAnalysis } from './generations/analysis.ts';
export { buildGeneration } from './generations/buildGeneration.ts';
export { KnownRows } from './generations/known/knownRows.ts';
export { loadGraph } from './generations/loadGraph.ts';
export type { LoadOptions } from './generations/loadOptions.ts';
export { loadPublished } from './generations/loadPublished.ts';
export type { BuildContext } from './generations/step.ts';
export { buildContext } from './generations/testing/builds.ts';
export { keepHouse } from './keepHouse.ts';
export { startWorker } from './worker.ts';
