export { type CombinedTree, SAMPLE_SIZE } from './combined/combinedTree.ts';
export { findEntity } from './findEntity.ts';
export { unmetered } from './meter.ts';
export type { NodeSort } from './order.ts';
export { inheritanceChains, placesAbove } from './paths/aclInheritance.ts';
export type { Paths } from './paths/findPaths.ts';
export { QueryPool, type QueryPoolOptions } from './pool/queryPool.ts';
export type { CombinedTreeRequest, PackedGraph } from './pool/queryTasks.ts';
export { SearchIndexes } from './pool/searchIndexes.ts';
export { type ReadNodeTexts, WordIndexes } from './pool/wordIndexes.ts';
export {
  edgeKindName,
  edgeKindNumber,
  kindNamesOf,
  labelOf,
  labelOfKinds,
  nodeKindNumber,
  type QueryData,
  queryDataOf,
  shownKindsOf,
} from './queryData.ts';
export type { ReachingPrincipals, ReachRequest } from './reach/reachingPrincipals.ts';
export type { AzureListKey } from './relations/azureLists.ts';
export { type ListKey, relationOf } from './relations/quirks.ts';
export { RELATED_LISTS } from './relations/relatedLists.ts';
export { GraphTooLarge, relationGraph, type Way } from './relations/relationGraph.ts';
export { evaluateRelation } from './relations/walk.ts';
export { unpackWays } from './relations/ways.ts';
export { exactHits, namesBeginningWith } from './search/exactHits.ts';
export { localGroupsBeginningWith } from './search/localGroupNames.ts';
export { buildSearchIndex, type SearchIndex } from './search/searchIndex.ts';
export { searchNodes } from './search/searchNodes.ts';
export { wordHits } from './search/wordHits.ts';
export { buildWordIndex, folded, type NodeTexts } from './search/wordIndex.ts';
export { runInTurns } from './turns.ts';
export { warmUp } from './warmUp.ts';
