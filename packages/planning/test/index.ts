/** Test helpers: worlds of random directories, and of whole collections without a database. */

export { analyzedWorld, COLLECTED_AT } from './analyzedWorld.ts';
export { collectedFacts, sourcesOf } from './collectedFacts.ts';
export { type CollectedGraph, collectedGraph } from './collectedGraph.ts';
export { collectedWorld, worldOfFacts } from './collectedWorld.ts';
export { addAgents, handFiles } from './handForest.ts';
export { randomDirectories, randomWorld } from './randomDirectories.ts';
export {
  changeRecords,
  type DeclaredChange,
  type EditableFile,
  editableFile,
  makeDeclared,
  type RecordChange,
} from './repairCollection.ts';
