export * from './analyse.ts';
export * from './analyseAgain.ts';
export {
  AnalysisContext,
  type AnalysisInput,
  type AnalysisOptions,
  type Origin,
  type Reads,
} from './analysisContext.ts';
export { attackGraph, POWERLESS } from './attackGraph.ts';
export type { Composition } from './composition.ts';
export type { DerivedEdges, DerivedKindEdges } from './derivedEdges.ts';
export { AUTHORITY_HOST_READS, hostsOfAuthorities } from './directory/authorityHosts.ts';
export { EVERYBODY_READS, type Membership, membershipsOfEverybody } from './directory/everybody.ts';
export { inheritanceSource } from './directory/inheritance.ts';
export { SCOPED_APPLICATION_READS, scopedApplicationRoles } from './directory/scopedApplications.ts';
export * from './directory/wellKnownGroups.ts';
export { type EdgeRef, hasFlag, isInherited } from './edgeRef.ts';
export * from './effort/index.ts';
export * from './features.ts';
export * from './findings/index.ts';
export { type Affected, affectedBy } from './plan/affected.ts';
export { applyChange, type Change } from './plan/applyChange.ts';
export { type ChokePoints, chokePoints } from './plan/chokePoints.ts';
export { type Evidence, evidenceOf } from './plan/evidence.ts';
export { makePlan } from './plan/makePlan.ts';
export { exposureMovers, type Mover, type Movers, type RelationChanges } from './plan/movers.ts';
export { OPEN_REASONS, type OpenFinding, type OpenReason, openFindings } from './plan/openFindings.ts';
export { MAX_CHANGES, type PackageText, packageText } from './plan/packageTexts.ts';
export { aboutPermanent, isPermanent } from './plan/permanent.ts';
export { type PlanGraph, type PlanGraphInput, planGraph } from './plan/planGraph.ts';
export * from './plan/planTypes.ts';
export {
  changeOf,
  DEFAULT_COSTS,
  type Repair,
  RepairCatalogue,
  type RepairKind,
  ruleKinds,
} from './plan/repairs.ts';
export { repairsBehind } from './plan/repairsBehind.ts';
export { type RepairText, repairText } from './plan/repairTexts.ts';
export type { PropertyChange } from './plan/settings.ts';
export * from './plan/simulate.ts';
export type { LabelScope } from './plan/stepLabels.ts';
export type { Rule } from './rule.ts';
export { type EdgePropertyReads, edgePropertyReads } from './ruleOrder.ts';
export { RULES } from './rules.ts';
export { looksAt, readsEdgesOf, type Touched } from './touched.ts';
export {
  assignZones,
  type ZoneAssignment,
  type ZoneDefinition,
  type ZoneSelector,
} from './zones/assignZones.ts';
export { type Expansion, expandZone, type MemberSource, type ZoneMembers } from './zones/expandZone.ts';
export { selectNodes } from './zones/selectNodes.ts';
