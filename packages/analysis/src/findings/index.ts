export { attackSteps, isAttackStep } from './attackSteps.ts';
export { causeOf } from './causes.ts';
export type { EffortClass } from './effortClass.ts';
export type { Environments } from './environments.ts';
export { domainSidOf, environments, PRINCIPAL_KINDS } from './environments.ts';
export type { ForeignExposure } from './exposureRatings.ts';
export * from './findFindings.ts';
export type { FoundColumns } from './findingColumns.ts';
export type { ScannedComputers } from './findingFacts.ts';
export { largeDefaultGroups } from './largeGroups.ts';
export type { CoverageGap } from './listFindings.ts';
export type { Posture } from './postures.ts';
export type { RatingColumns } from './ratings.ts';
export { findReach, type Reach, type ReachQuestion, reachQuestion } from './reach.ts';
export { HYGIENE_ZONE } from './relationshipFindings.ts';
export {
  isOfNoZone,
  SEVERITIES,
  SEVERITY_BANDS,
  SEVERITY_ROWS,
  type SeverityReason,
  type SeverityRow,
  severitySentence,
} from './severity.ts';
export { ReasonBasis, reasonOf as severityReasonOf } from './severityRatings.ts';
export { effortsOf } from './stepEfforts.ts';
export * from './types/index.ts';
export { UNREAD_PROPERTIES, type UnreadInput, unreadParts } from './unread.ts';
export { windowsIdentityFinder } from './windowsIdentities.ts';
export type { FindingZone } from './zoneRanks.ts';
