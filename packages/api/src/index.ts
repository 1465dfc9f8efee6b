/** The contract. All its schemas are public, because programs of others refer to them. */
export { CLIENT_VARIABLES } from './clientVariables.ts';
export {
  type Column,
  type ColumnTable,
  type ColumnType,
  column,
  listParameters,
  NEVER_OR_TIME,
  PREDICATES,
  PREDICATES_OF,
  type Predicate,
  TIMESTAMP_COLUMNS,
} from './columns.ts';
export { type CsvCell, csvLine } from './csv.ts';
export { type ErrorCode, type ErrorEntry, type ErrorValues, errorCatalog, errorMessage } from './errors.ts';
export type {
  AnswerOf,
  BodyKindOf,
  BodyOf,
  HasOtherMediaTypes,
  OperationId,
  ParamsOf,
  QueryOf,
  ServedAnswers,
  ServedParams,
  ServedQuery,
  TakesArchive,
} from './operations.ts';
export {
  type Defaulted,
  integerId,
  ObjectIdPath,
  type ParsedElsewhere,
  paging,
  parsedByHandler,
  parsedElsewhere,
  uuidId,
  withDefault,
} from './parameters.ts';
export {
  type Access,
  type BodyKind,
  bodyBytesOf,
  type Edition,
  errorStatuses,
  type HttpMethod,
  isReading,
  LIST_BODY_BYTES,
  type RateClass,
  type RouteContract,
} from './route.ts';
export {
  AZURE_DESCENDENTS,
  AZURE_ENTITY_TYPES,
  AZURE_RELATED_TYPES,
  type AzureDescendentType,
  type AzureEntityKind,
  type AzureEntityType,
  type AzureRelatedType,
  azureEntityType,
  isAzureRelatedType,
} from './routes/azureEntities.ts';
export { RELATED_COLUMNS } from './routes/entities.ts';
export {
  ENTITY_KINDS,
  type EntityKindContract,
  type EntityOperationId,
  type EntitySegment,
  type RelatedListContract,
  type RelatedListKey,
  type RelatedOperationId,
} from './routes/entityKinds.ts';
export { type Route, routes } from './routes/index.ts';
export { MCP_PATH } from './routes/mcp.ts';
export { PLANNED_OPERATIONS, type PlannedOperation } from './routes/planned.ts';
export * from './schemas/acceptanceRequests.ts';
export * from './schemas/administration.ts';
export * from './schemas/analysis.ts';
export * from './schemas/attachments.ts';
export * from './schemas/authorityAnswers.ts';
export * from './schemas/azure.ts';
export * from './schemas/bulkFindings.ts';
export * from './schemas/changes.ts';
export * from './schemas/checks.ts';
export * from './schemas/clearing.ts';
export * from './schemas/collectors.ts';
export * from './schemas/common.ts';
export * from './schemas/constraints.ts';
export * from './schemas/difference.ts';
export * from './schemas/directoryReadings.ts';
export * from './schemas/drawings.ts';
export * from './schemas/extensionDryRun.ts';
export * from './schemas/findings.ts';
export * from './schemas/graph.ts';
export * from './schemas/identity.ts';
export * from './schemas/inbox.ts';
export * from './schemas/kinds.ts';
export * from './schemas/kits.ts';
export * from './schemas/openGraph.ts';
export * from './schemas/plan.ts';
export * from './schemas/planCards.ts';
export * from './schemas/planEvidence.ts';
export * from './schemas/planExplanation.ts';
export * from './schemas/postureSummary.ts';
export * from './schemas/proof.ts';
export * from './schemas/quality.ts';
export * from './schemas/reach.ts';
export * from './schemas/remainingPaths.ts';
export * from './schemas/reports.ts';
export * from './schemas/savedQueries.ts';
export * from './schemas/service.ts';
export * from './schemas/sso.ts';
export * from './schemas/startedPlans.ts';
export * from './schemas/uploads.ts';
export * from './schemas/users.ts';
export * from './schemas/views.ts';
export * from './schemas/webhooks.ts';
export * from './schemas/zones.ts';
export { formatTime } from './time.ts';
export { valueFaults } from './valueFaults.ts';
export { sameWord, type WordSchema, withWordsOf, wordsOf } from './words.ts';
