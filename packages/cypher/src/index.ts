export { CypherError, type CypherErrorKind, placedMessage, placedText } from './cypherError.ts';
export { type Derivation, type DerivationPattern, derivation } from './derivation/derivation.ts';
export type { Edges, LabelSet, PropertyGraph } from './graph/propertyGraph.ts';
export { type ProductHint, productHint } from './hints/products.ts';
export { GraphChanges, type MadeEdge } from './layer/graphChanges.ts';
export type { UpdateCounts } from './layer/layerEditor.ts';
export { layeredGraph, MADE_NODE_IDS } from './layer/layeredGraph.ts';
export { type LayerState, layerStateOf, runUpdates } from './layer/runUpdates.ts';
export type { PlanLine } from './match/planLine.ts';
export { functionNames } from './names/functionNames.ts';
export { didYouMean, nearestName } from './names/nearestName.ts';
export { type NamedAt, outlineOf, type QueryOutline } from './outline/outline.ts';
export { type PropertyReads, propertyReads, propertyReadsOf } from './propertyReads.ts';
export { BUILT_IN_QUERIES } from './questions/index.ts';
export type { BuiltInQuery } from './questions/question.ts';
export { relationshipTypes } from './relationshipTypes.ts';
export { DEFAULT_LIMITS, type QueryLimits } from './run/budget.ts';
export { explainQuery, type QueryOptions, type QueryResult, runQuery } from './runQuery.ts';
export { parse, parseUpdates } from './syntax/parser.ts';
export { withoutTexts } from './syntax/withoutTexts.ts';
export { sizeOf } from './values/size.ts';
export { Duration } from './values/temporal/duration.ts';
export { TemporalInstant } from './values/temporal/instant.ts';
export { offsetZone, parseZone } from './values/temporal/zones.ts';
export {
  Float,
  isList,
  isMap,
  NodeValue,
  numberOf,
  PathValue,
  RelationshipValue,
  type Value,
  type ValueMap,
} from './values/values.ts';
