/** The parts of the visible graph that later stages need. */

export { eachRow } from './cypher/answerRows.ts';
export { labelSet } from './cypher/attackPropertyGraph.ts';
export { entriesOf, partOf } from './cypher/cells.ts';
export type { CypherAnswer } from './cypher/cypherMessages.ts';
export { CypherRunner, type ReadEfforts } from './cypher/cypherRunner.ts';
export { deleteEndedLayers } from './cypher/layers/storedLayers.ts';
export { namesSeenBy } from './cypher/seenNames.ts';
export {
  CHECK_LIMITS,
  type Ran,
  runSelectorQueries,
  runStoredQueries,
  SELECTOR_LIMITS,
  SELECTOR_TIMES,
  type Selected,
  type SelectorGraph,
  type SelectorQuery,
  type SelectorRunOptions,
  type TimedOut,
} from './cypher/selectorQueries.ts';
export { publishWatches, type RanWatch, runWatches } from './cypher/watches/runWatches.ts';
export { pruneWatches, type WatchEvent, watchEvents } from './cypher/watches/storedWatches.ts';
export { zipFiles } from './cypher/zipFiles.ts';
export { loadFacts } from './explain/analysisFacts.ts';
export { environmentNamed } from './graphs/environmentNamed.ts';
export type { EasiestPaths, EnvironmentRating, QueryServices, ReadRatings } from './graphs/queryServices.ts';
export { drawnEdge, drawnNode } from './graphs/render/graphMap.ts';
export { hiddenName, shownName } from './graphs/render/nodeSigns.ts';
export { isVisible, missingFrom, requireVisible, visibilityIn, visibilityOf } from './graphs/visibility.ts';
export {
  answersOf,
  type KeptAnswer,
  keepAnswer,
  updatedAuthorities,
  withdrawAnswer,
} from './requests/authorityAnswers.ts';
export { enabledFeatures } from './requests/features.ts';
