/** Test helpers that other packages also use. */

export { createAnalysis } from '../src/generations/analysis.ts';
export { buildGeneration } from '../src/generations/buildGeneration.ts';
export { KnownRows } from '../src/generations/known/knownRows.ts';
export { loadGraph } from '../src/generations/loadGraph.ts';
export type { LoadOptions } from '../src/generations/loadOptions.ts';
export { loadPublished } from '../src/generations/loadPublished.ts';
export type { BuildContext } from '../src/generations/step.ts';
export { keepHouse } from '../src/keepHouse.ts';
export { startWorker } from '../src/worker.ts';
export { buildContext } from './generations/builds.ts';
