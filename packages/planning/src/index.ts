/** Plans over a graph and its findings: pure functions (docs/plan.md). */

export { remedyTypeOf } from './explain/advice.ts';
export { chokePoints } from './explain/chokePoints.ts';
export { commonRepairs } from './explain/commonRepairs.ts';
export { easiestInto } from './explain/easiestInto.ts';
export { type EffortPath, easiestBetween, effortOfEdges, effortsByEdge } from './explain/easiestPath.ts';
export { easiestPathCut } from './explain/easiestPathCut.ts';
export { evidenceOf, standsOn } from './explain/evidence.ts';
export { excludedChanges } from './explain/excludedChanges.ts';
export { type FindingPath, findingPath } from './explain/findingPath.ts';
export { findingPaths } from './explain/findingPaths.ts';
export { loweredFindings } from './explain/loweredFindings.ts';
export { exposureMovers, type Mover } from './explain/movers.ts';
export { OPEN_REASONS, type OpenFinding, type OpenReason, openFindings } from './explain/openFindings.ts';
export { packageText, packageTitle, repairNames } from './explain/packageTexts.ts';
export { pathChanges } from './explain/pathChanges.ts';
export type { PathCut } from './explain/pathCuts.ts';
export { notThisText, priceText, questionText, reasonText, repairQuestion } from './explain/priceTexts.ts';
export {
  type RemainingPath,
  type RemainingPaths,
  remainingPaths,
  type StayReason,
} from './explain/remainingPaths.ts';
export { repairsAbout } from './explain/repairsBehind.ts';
export { widestGroup } from './explain/widestGroup.ts';
export { withoutRepair } from './explain/withoutRepair.ts';
export { zoneEfforts } from './explain/zoneEfforts.ts';
export type { PlanExplanation } from './explanation.ts';
export { leavesTierZero } from './packages/leavers.ts';
export { MAX_GIVEN } from './packages/packageUses.ts';
export type {
  Alternative,
  AuthorityQuestion,
  PackageQuestion,
  PackageUses,
  PlanDecision,
  PricedPackage,
} from './packages/plannedTypes.ts';
export { PRICE_READS, Prices } from './packages/prices/prices.ts';
export type { OtherPrices, PriceReason } from './packages/prices/reasons.ts';
export { makePlan, wholePlan } from './plan.ts';
export type {
  FirstCard,
  FirstPlan,
  Plan,
  PlanCard,
  PlanEvent,
  PlanEvents,
  PlannedPackage,
  PlanOptions,
} from './planTypes.ts';
export { precompute } from './precompute.ts';
export { EXCEPTIONS } from './relaxation/exceptions.ts';
export { serviceWarning } from './repairs/accessTexts.ts';
export { ASSIGNMENT_SCOPE_READS } from './repairs/assignmentScopes.ts';
export { DENIED_GROUPS } from './repairs/deniedLogons.ts';
export { KIT_READS, kitFacts, kitObject, kitRelation } from './repairs/kitFacts.ts';
export type { KitFacts, KitObject, KitRelation, Known } from './repairs/kitFactTypes.ts';
export { distinctName } from './repairs/objectNames.ts';
export { aboutPermanent, isPermanent } from './repairs/permanent.ts';
export {
  addPolicyUnit,
  POLICY_MEMBER_READS,
  POLICY_UNITS,
  policyMembers,
} from './repairs/policyMembers.ts';
export { type Obstacle, obstacleTo } from './repairs/possibleChanges.ts';
export { changeOf, type Repair } from './repairs/repair.ts';
export { DEFAULT_COSTS, type RepairKind } from './repairs/repairKinds.ts';
export { RepairCatalog, ruleKinds } from './repairs/repairs.ts';
export { textOfRepair } from './repairs/repairWords.ts';
export type { PropertyChange } from './repairs/settings.ts';
export { affectedBy, affectedByAll } from './simulation/affected.ts';
export type { Change } from './simulation/applyChange.ts';
export { type FindingChanges, type FindingKey, findingKeyText } from './simulation/findingKeys.ts';
export { compareFindings } from './simulation/keptFindings.ts';
export { shownChangesOf } from './simulation/movedLogons.ts';
export {
  type AnalyzedWorld,
  changedWorld,
  endWorld,
  exposuresOf,
  findingsOf,
  type RankedZone,
  rankedZone,
  tierZeroOf,
  worldOf,
  type ZoneExposure,
} from './simulation/simulate.ts';
