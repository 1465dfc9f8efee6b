/** The parts of findings, zones, posture and quality that building a generation and plans need. */

export {
  DEFINITIONS_SOURCE,
  deriveByDefinitions,
  edgesOf,
  type FactChange,
  keptByDefinitions,
  keysReadBy,
  mayDeriveOtherwise,
  type RanDerivation,
  readsKinds,
} from './definitions/deriveByDefinitions.ts';
export { readMatches } from './definitions/readMatches.ts';
export { expireAcceptances, FOR_EVER } from './findings/acceptance.ts';
export { acceptanceRequests, endAcceptanceRequests } from './findings/acceptanceRequests.ts';
export {
  type AcceptanceCounts,
  acceptancesIn,
  type CauseCount,
  type CauseScope,
  causesOf,
} from './findings/changeCauses.ts';
export { answersIn } from './findings/changedAnswers.ts';
export { checkEvidence } from './findings/checks/checkEvidence.ts';
export {
  type CheckQuery,
  type RanCheck,
  readCheckQueries,
  runCheckQueries,
  withOffenders,
} from './findings/checks/runChecks.ts';
export { COUNT_CONTRADICTION, differentCounts } from './findings/countContradictions.ts';
export { askForDailyRun } from './findings/dailyRun.ts';
export { pruneAttachments, requireOwn } from './findings/evidence/attachments.ts';
export { textOf } from './findings/evidence/attachmentType.ts';
export { evidenceOf } from './findings/evidence/evidence.ts';
export {
  type FindingRow,
  filteredFindings,
  findingById,
  findingsOfIds,
  IS_WHOLE,
  UNIFIED_REFERENCES,
} from './findings/findingQueries.ts';
export {
  FINDING_READS,
  type FindingsOfGeneration,
  loadZones,
  publishWorkedOut,
  type SelectorBounds,
  showZones,
  workOutFindings,
  zonesOfAssigned,
} from './findings/findingStep.ts';
export {
  type ClosingCard,
  type FindingPlan,
  notePlannedFindings,
  type PlannedFinding,
  type SharedRepair,
} from './findings/plannedFindings.ts';
export { findingTrends, postureHistory } from './findings/posture.ts';
export { postureSummary } from './findings/postureSummary.ts';
export { findReachBeside, REACH_BESIDE_EDGES } from './findings/reach/reachBeside.ts';
export {
  type AssignedZone,
  assignStoredZones,
  Certified,
  findingZones,
  type Queried,
  queriesOf,
  readStoredZones,
  type StoredZone,
  selectedLast,
} from './findings/zones/storedZones.ts';
export { listZones, type ZoneRow } from './findings/zones/zones.ts';
export { changedSettings } from './history/settings.ts';
export {
  differenceSince,
  differenceTo,
  type GenerationInstant,
  generationAt,
  type PastDifference,
  pruneDifferences,
  type Snapshot,
  writeDifference,
} from './history/storedDifferences.ts';
export { MAX_MENTIONS, writeMentions } from './mentions/mentions.ts';
export { type EnvironmentQuality, measureQuality, QUALITY_PROPERTIES } from './quality/measureQuality.ts';
export { storedUnread } from './quality/qualityQueries.ts';
export { readScannedComputers } from './quality/scannedComputers.ts';
export { writeQuality } from './quality/writeQuality.ts';
