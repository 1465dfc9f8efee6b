export {
  AnalysisContext,
  type AnalysisInput,
  type AnalysisOptions,
  type AuthorityAnswer,
  type Origin,
  type Reads,
} from './analysisContext.ts';
export {
  type AnalysisResult,
  analyze,
  compose,
  defaultOptions,
  type RuleRun,
  relayTargets,
  requiredEdgeProperties,
  requiredProperties,
  warningsOf,
} from './analyze.ts';
export { analyzeAgain, derivedEdge, renumberRuns } from './analyzeAgain.ts';
export { attackGraph, POWERLESS } from './attackGraph.ts';
export type { Composition } from './composition.ts';
export type { DerivedEdges, DerivedKindEdges } from './derivedEdges.ts';
export { DerivedMatches, type FoundMatch, type FoundMatches } from './derivedMatches.ts';
export { AUTHORITY_HOST_READS, hostsOfAuthorities } from './directory/authorityHosts.ts';
export { EVERYBODY_READS, type Membership, membershipsOfEverybody } from './directory/everybody.ts';
export { inheritanceSource } from './directory/inheritance.ts';
export { SCOPED_APPLICATION_READS, scopedApplicationRoles } from './directory/scopedApplications.ts';
export {
  type CollectedDomain,
  type KnownObject,
  mayBeWellKnown,
  wellKnownFacts,
  wellKnownIds,
} from './directory/wellKnownGroups.ts';
export { type EdgeRef, hasFlag, isInherited } from './edgeRef.ts';
export {
  EFFORT_MODIFIERS,
  type EffortPath,
  easiestBetween,
  easiestInto,
  effortOfEdges,
  equallyEasyWays,
  type FindingPath,
  type FindingPaths,
  findingPath,
  findingPaths,
  MAX_STEP_EFFORT,
  pathChanges,
  type UsedPath,
  widestGroup,
  zoneEfforts,
} from './effort/index.ts';
export { defaultFeatures, FEATURES, type FeatureName, featuresIn } from './features.ts';
export {
  ANY_ZONE,
  attackSteps,
  builtInTypeById,
  categoryOf,
  causeOf,
  collectFindings,
  declaredTypeIds,
  domainSidOf,
  type EffortClass,
  effortsOf,
  environments,
  FINDING_CATEGORIES,
  FINDING_TEXTS,
  FINDING_TYPES,
  type FindingsResult,
  type FindingText,
  type FindingType,
  type FindingZone,
  type ForeignExposure,
  findFindings,
  findingEdgeProperties,
  findingProperties,
  findingText,
  findingTypesOf,
  findReach,
  HYGIENE_ZONE,
  isAttackStep,
  isOfEachZone,
  isOfNoZone,
  largeDefaultGroups,
  PRINCIPAL_KINDS,
  RELATIONSHIP_FINDINGS,
  RETIRED_FINDINGS,
  type Reach,
  type ReachQuestion,
  ReasonBasis,
  rateCollected,
  reachQuestion,
  type ScannedComputers,
  SEVERITIES,
  SEVERITY_BANDS,
  SEVERITY_ROWS,
  type Severity,
  type SeverityRow,
  severityReasonOf,
  severitySentence,
  type TypesById,
  techniquesOf,
  typesById,
  UNREAD_PROPERTIES,
  unreadParts,
  windowsIdentityFinder,
} from './findings/index.ts';
export { type Affected, affectedBy, affectedByAll } from './plan/affected.ts';
export type { Change } from './plan/applyChange.ts';
export { BegunPlan } from './plan/begunPlan.ts';
export { type ChokePoints, chokePoints } from './plan/chokePoints.ts';
export { type CommonRepair, commonRepairs } from './plan/commonRepairs.ts';
export { type Evidence, evidenceOf, standsOn } from './plan/evidence.ts';
export {
  compareFindings,
  type FindingChanges,
  type FindingKey,
  findingKeyText,
} from './plan/keptFindings.ts';
export { type LoweredFinding, loweredFindings } from './plan/loweredFindings.ts';
export { makePlan } from './plan/makePlan.ts';
export { exposureMovers, type Mover, type Movers, type RelationChanges } from './plan/movers.ts';
export { OPEN_REASONS, type OpenFinding, type OpenReason, openFindings } from './plan/openFindings.ts';
export {
  type PackageText,
  packageText,
  packageTitle,
  repairNames,
} from './plan/packageTexts.ts';
export { MAX_GIVEN } from './plan/packageUses.ts';
export { aboutPermanent, isPermanent } from './plan/permanent.ts';
export { type PlanGraph, type PlanGraphInput, planGraph } from './plan/planGraph.ts';
export type {
  Alternative,
  AuthorityQuestion,
  PackagePrice,
  PackageQuestion,
  PackageUses,
  PlanDecision,
  PricedPackage,
  QuestionKind,
} from './plan/plannedTypes.ts';
export type { FirstCard, FirstPlan, Plan, PlanCard, PlannedPackage, PlanOptions } from './plan/planTypes.ts';
export { addPolicyUnit, POLICY_MEMBER_READS, POLICY_UNITS } from './plan/policyMembers.ts';
export { PRICE_READS } from './plan/prices/prices.ts';
export type { Price, PriceFacts, PriceReason } from './plan/prices/reasons.ts';
export { notThisText, priceText, type QuestionText, questionText, reasonText } from './plan/priceTexts.ts';
export {
  changeOf,
  DEFAULT_COSTS,
  type Repair,
  RepairCatalog,
  type RepairKind,
  ruleKinds,
} from './plan/repairs.ts';
export { repairsAbout, repairsBehind } from './plan/repairsBehind.ts';
export type { RepairText } from './plan/repairTextTypes.ts';
export { textOfRepair } from './plan/repairWords.ts';
export type { PropertyChange } from './plan/settings.ts';
export {
  type AnalyzedWorld,
  changedWorld,
  endWorld,
  exposuresOf,
  findingChangesOf,
  findingsOf,
  type RankedZone,
  rankedZone,
  tierZeroOf,
  worldOf,
  type ZoneExposure,
} from './plan/simulate.ts';
export type { LabelScope } from './plan/stepLabels.ts';
export { workAhead } from './plan/workAhead.ts';
export type { Rule } from './rule.ts';
export { type EdgePropertyReads, edgePropertyReads } from './ruleOrder.ts';
export { RULES } from './rules.ts';
export { readsEdgesOf, type Touched } from './touched.ts';
export {
  assignZones,
  type ZoneAssignment,
  type ZoneDefinition,
  type ZoneSelector,
} from './zones/assignZones.ts';
export { type Expansion, expandZone, type MemberSource, type ZoneMembers } from './zones/expandZone.ts';
export { selectNodes } from './zones/selectNodes.ts';
