export {
  type CollectionFile,
  type CollectionType,
  type Forest,
  fileText,
  generateForest,
} from './collection.ts';
export { FLAWS } from './flaws.ts';
export type { ForestOptions } from './plan.ts';
export type { Ace, CollectedObject, Principal } from './records.ts';
export { type OnProgress, type WrittenFile, writeForest, writeForestZip } from './write.ts';
