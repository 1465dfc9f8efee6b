export { LocalGroup, localGroups } from './ad/localGroups.ts';
export { certificateAuthorities } from './adcs/certificateAuthorities.ts';
export {
  authenticates,
  type CertTemplate,
  certTemplates,
  letsSubjectBeSupplied,
  needsNoApproval,
  needsNoSignature,
  Oid,
} from './adcs/certTemplates.ts';
export { enrollment, TEMPLATE_ENROLLMENT } from './adcs/enrollment.ts';
export { decidedWays } from './adcs/esc15.ts';
export { possibleControllers } from './adcs/victims.ts';
export type { Shared } from './analysisContext.ts';
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
export { attackGraph, giveBackGraph, POWERLESS } from './attackGraph.ts';
export { synchronizedPairs } from './azure/hybrid.ts';
export { APPROVERS } from './azure/roleApprovers.ts';
export { SYNCHRONIZED, TENANTS } from './azure/tenants.ts';
export type { Composition } from './composition.ts';
export type { DerivedEdges, DerivedKindEdges } from './derivedEdges.ts';
export { DerivedMatches, type FoundMatch, type FoundMatches } from './derivedMatches.ts';
export { isAdminSdHolder, NOT_COPIED } from './directory/adminSdHolder.ts';
export { AUTHORITY_HOST_READS, hostsOfAuthorities } from './directory/authorityHosts.ts';
export { domains } from './directory/domains.ts';
export { EVERYBODY_READS, type Membership, membershipsOfEverybody } from './directory/everybody.ts';
export { hasExplicit, InheritanceSources, inheritanceSource } from './directory/inheritance.ts';
export { LikelySources } from './directory/likelySources.ts';
export { MEMBERSHIPS, membership } from './directory/membership.ts';
export { MembershipRows, membershipRows } from './directory/membershipRows.ts';
export { SCOPED_APPLICATION_READS, scopedApplicationRoles } from './directory/scopedApplications.ts';
export { specialGroups } from './directory/specialGroups.ts';
export { connectorAccounts } from './directory/synchronization.ts';
export {
  type CollectedDomain,
  type KnownObject,
  mayBeWellKnown,
  wellKnownFacts,
  wellKnownIds,
} from './directory/wellKnownGroups.ts';
export { edgeNameOf, edgeNumberOf } from './edgeNames.ts';
export { type EdgeRef, hasFlag, isInherited } from './edgeRef.ts';
export type { VisitNeighbor } from './edgeView.ts';
export { defaultFeatures, FEATURES, type FeatureName, featuresIn } from './features.ts';
export { type Environments, type ForestZone, NO_ENVIRONMENT, zoneByForest } from './findings/environments.ts';
export { type FindingsInput, isUnread, rateListed } from './findings/findFindings.ts';
export type { FoundColumns } from './findings/findingColumns.ts';
export { type FactsRead, FindingFacts, readsOfListed } from './findings/findingFacts.ts';
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
  remedyOf,
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
export { groupsOfEverybody, LARGE_DEFAULT_GROUPS } from './findings/largeGroups.ts';
export { RELATIONSHIP_READS } from './findings/relationshipFindings.ts';
export { EFFORT_MODIFIERS, MAX_STEP_EFFORT, stepEfforts } from './findings/stepEfforts.ts';
export {
  edgeKindsOf,
  type FindingId,
  type ListFindingType,
  type RelationshipFindingType,
} from './findings/types/index.ts';
export { FLAG_RIGHTS } from './findings/types/list/certificates/templateFlagsWritable.ts';
export { GRAPH_CONTROL } from './findings/types/list/entra/azureHighGraphPermission.ts';
export { synchronizingRoles } from './findings/types/list/entra/azureSyncAccountPrivileges.ts';
export { permanentRolesOf } from './findings/types/list/entra/common.ts';
export { CREATION } from './findings/types/list/privileges/badSuccessor.ts';
export {
  CONTROL_RIGHTS,
  domainSid,
  serversOfSynchronization,
} from './findings/types/list/privileges/common.ts';
export { REPLICATION } from './findings/types/list/privileges/connectorReplicationRights.ts';
export { isOfAccount, LEFT_BEHIND } from './findings/types/list/privileges/deletedAccountRights.ts';
export { isExchangeOfZone } from './findings/types/list/privileges/exchangeControlsDomain.ts';
export { KEY_ADMIN_EXCESS, KEY_ADMINS } from './findings/types/list/privileges/keyAdminsFullControl.ts';
export { foreignGroups } from './findings/types/list/privileges/nestedForeignPrincipals.ts';
export { PRIVILEGED_SID } from './findings/types/list/privileges/privilegedSIDHistory.ts';
export { relationsOverTierZero } from './findings/types/list/privileges/probablyTierZero.ts';
export { missingMembers } from './findings/types/list/privileges/rodcDeniedGroupIncomplete.ts';
export { ADMINISTRATIVE_GROUPS } from './findings/types/list/privileges/serviceAccountPrivileged.ts';
export { ZoneRanks } from './findings/zoneRanks.ts';
export type { Match } from './patternMatches.ts';
export type { Rule } from './rule.ts';
export { allReads, type EdgePropertyReads, edgePropertyReads, orderRules } from './ruleOrder.ts';
export { RULES } from './rules.ts';
export { looksAt, mayDeriveOtherwise, readsEdgesOf, type Touched } from './touched.ts';
export { type HeldRight, type Need, needsOf, type RelationNeed, type SettingName, type Way } from './ways.ts';
export { type Kept, ONCE, type Once, WorldMemory } from './worldMemory.ts';
export {
  assignZones,
  type ZoneAssignment,
  type ZoneDefinition,
  type ZoneSelector,
} from './zones/assignZones.ts';
export {
  EXPANSION_READS,
  type Expansion,
  expandZone,
  type MemberSource,
  type ZoneMembers,
} from './zones/expandZone.ts';
export { MEMBER_CRITERION_READS, OTHER_CRITERION_READS, selectNodes } from './zones/selectNodes.ts';
