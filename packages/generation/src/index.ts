export type {
  EarlyGenerationSource,
  Environment,
  Generation,
  GenerationFacts,
  GenerationSource,
  Prepare,
  PublishedZone,
} from './generation.ts';
export {
  emptyGeneration,
  fromMessage,
  GenerationHolder,
  type GenerationMessage,
  toMessage,
} from './generationHolder.ts';
export { KindCounter } from './kindCounter.ts';
export { isMarked, type NodeMarks, noMarks, setMark } from './nodeMarks.ts';
