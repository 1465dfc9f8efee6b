export * from './columns.ts';
export { type CsvCell, csvLine } from './csv.ts';
export * from './errors.ts';
export * from './operations.ts';
export * from './parameters.ts';
export * from './route.ts';
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
export { PLANNED_OPERATIONS, type PlannedOperation } from './routes/planned.ts';
export * from './schemas/administration.ts';
export * from './schemas/analysis.ts';
export * from './schemas/azure.ts';
export * from './schemas/changes.ts';
export * from './schemas/clearing.ts';
export * from './schemas/collectors.ts';
export * from './schemas/common.ts';
export { DifferenceRecord } from './schemas/difference.ts';
export * from './schemas/findings.ts';
export * from './schemas/graph.ts';
export * from './schemas/identity.ts';
export * from './schemas/openGraph.ts';
export * from './schemas/plan.ts';
export {
  AdoptedChange,
  AdoptionRecord,
  CardPathRecord,
  CardRecord,
  ComputingRecord,
  ConstraintRecord,
  DrawnPathRecord,
  EffortRecord,
  NewAdoption,
  NewConstraint,
  PackageRecord,
  PlanRecord,
} from './schemas/planCards.ts';
export { PostureSummary } from './schemas/postureSummary.ts';
export * from './schemas/quality.ts';
export * from './schemas/savedQueries.ts';
export * from './schemas/service.ts';
export * from './schemas/sso.ts';
export * from './schemas/uploads.ts';
export * from './schemas/users.ts';
export * from './schemas/webhooks.ts';
export * from './schemas/zones.ts';
export * from './time.ts';
