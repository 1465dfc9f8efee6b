export { type Adjacency, type AttackGraph, KIND_COUNT, NO_NODE } from './columns/attackGraph.ts';
export {
  type DeclaredCheck,
  type DeclaredDerivation,
  type DeclaredEnvironment,
  type DeclaredFinding,
  type DeclaredIdentity,
  type DeclaredKinds,
  type DeclaredPattern,
  type DeclaredRemoval,
  type DeclaredRepair,
  type DeclaredStep,
  type IdentityEnd,
  type IdentityMatcher,
  NOTHING_DECLARED,
} from './columns/declaredKinds.ts';
export { placesOfKind, visitKinds, visitPlaces } from './columns/edgePlaces.ts';
export { EdgeProperties, mergedProperties, type SharedEdgeProperties } from './columns/edgeProperties.ts';
export type { JsonObject, JsonValue } from './columns/jsonValue.ts';
export { float64s, uint8s, uint32s } from './columns/largeArrays.ts';
export {
  edgeKindOf,
  endOf,
  findEdge,
  findNamedNode,
  findNode,
  findNodesByPrefix,
  hasKind,
  haveSameNodes,
  kindsOf,
  kindTest,
  NO_EDGE,
  type NodeColumns,
  namedObjectId,
  nameOf,
  nodeColumnsOf,
  nodesOfKind,
  objectIdOf,
  startOf,
} from './columns/lookup.ts';
export { NodeProperties, type SharedProperties } from './columns/nodeProperties.ts';
export { NodeSet } from './columns/nodeSet.ts';
export { type PlacesByRow, placesByRow, RowPlaces } from './columns/rowPlaces.ts';
export { giveBackColumns } from './columns/spareColumns.ts';
export { findEdgeByStoreIds, findNodeByStoreId } from './columns/storeIndex.ts';
export { compareTexts, encodeText, textBytes, textEndsWith, textStartsWith } from './columns/textColumn.ts';
export { exportColumns, type GraphColumns, importColumns } from './columns/transfer.ts';
export { changeEdges, type EdgeChanges, edgeKey, type NewEdge } from './making/changeEdges.ts';
export { copyEdges, type EdgeChunk, EdgeList, edgeRange, newEdgeChunk } from './making/edgeList.ts';
export { GraphBuilder, withEdges } from './making/graphBuilder.ts';
export {
  type ChangedEdge,
  type GraphDifference,
  graphDifference,
  isChangedNode,
  joinDifferences,
  type NodeState,
  type TouchedNode,
} from './making/graphDifference.ts';
export { withMarkedKinds } from './making/markedEdges.ts';
export { type EdgePatch, GONE, patchEdges } from './making/patchEdges.ts';
export { withNodes } from './making/withNodes.ts';
export { Drop, withoutKinds } from './making/withoutKinds.ts';
export { addCount, addTo, getOrMake } from './memo.ts';
export { newRandom } from './random.ts';
export {
  type Cancel,
  CanceledError,
  isCanceled,
  newCancel,
  requestCancel,
  throwIfCanceled,
} from './search/cancel.ts';
export {
  type CheapestSteps,
  cheapestSteps,
  cheapestWay,
  NO_STEP,
  rowOf,
  type StepCosts,
  UNREACHABLE,
} from './search/cheapestSteps.ts';
export { distinctPaths, nearMiss } from './search/distinctPaths.ts';
export { ALL_EDGES, type EdgeFilter, edgesOfKind } from './search/edgeFilter.ts';
export { reachableNodes } from './search/reachableNodes.ts';
export { type ChangedPair, ReachTree } from './search/reachTree.ts';
export { type Path, shortestPaths } from './search/shortestPaths.ts';
export { type StepRows, type Steps, selectSteps } from './search/steps.ts';
export { neighborsOf } from './search/traversal.ts';
export { Closure } from './structure/closure.ts';
export { type Condensation, condense, reverseCondensation } from './structure/condensation.ts';
export { contractSteps, type SetMap, TAKEN_AWAY } from './structure/contractSteps.ts';
export { type CutNetwork, joinKernels, TARGETS } from './structure/cutNetwork.ts';
export { countDominated, findDominators, findOnlyEntries } from './structure/dominators.ts';
export { groupsReached, type NodeGroups, nodeGroups, ReachCounter } from './structure/groupReach.ts';
export { LabeledSteps } from './structure/labeledSteps.ts';
export { LabeledStepsBuilder } from './structure/labeledStepsBuilder.ts';
export type { LabelSet } from './structure/labelSet.ts';
export { ListNumbers } from './structure/listNumbers.ts';
export { listsByValue } from './structure/listsByValue.ts';
export { withMoreSteps } from './structure/moreSteps.ts';
export { PricedCut } from './structure/pricedCut.ts';
