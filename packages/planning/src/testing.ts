/** Test helpers: worlds of random directories, and of whole collections without a database. */

export { analyzedWorld, COLLECTED_AT } from './testing/analyzedWorld.ts';
export { collectedFacts, sourcesOf } from './testing/collectedFacts.ts';
export { type CollectedGraph, collectedGraph } from './testing/collectedGraph.ts';
export { collectedWorld, worldOfFacts } from './testing/collectedWorld.ts';
export { addAgents, handFiles } from './testing/handForest.ts';
export { randomDirectories, randomWorld } from './testing/randomDirectories.ts';
export {
  changeRecords,
  type EditableFile,
  type RecordChange,
  recordChangeOf,
} from './testing/repairCollection.ts';
