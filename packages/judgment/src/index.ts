/** The parts of findings, zones, posture, quality and plans that making a generation needs. */

export {
  DEFINITIONS_SOURCE,
  deriveByDefinitions,
  edgesOf,
  type FactChange,
  keptByDefinitions,
  type RanDerivation,
} from './definitions/deriveByDefinitions.ts';
export { expireAcceptances } from './findings/acceptance.ts';
export { COUNT_CONTRADICTION, differentCounts } from './findings/countContradictions.ts';
export { askForDailyRun } from './findings/dailyRun.ts';
export {
  FINDING_READS,
  type FindingsOfGeneration,
  loadZones,
  publishWorkedOut,
  type SelectorBounds,
  showZones,
  workOutFindings,
} from './findings/findingStep.ts';
export { findReachBeside, REACH_BESIDE_EDGES } from './findings/reach/reachBeside.ts';
export { differenceTo, pruneDifferences, writeDifference } from './history/storedDifferences.ts';
export { PLAN_PROPERTIES } from './plan/planReads.ts';
export { type EnvironmentQuality, measureQuality, QUALITY_PROPERTIES } from './quality/measureQuality.ts';
export { readScannedComputers } from './quality/scannedComputers.ts';
export { writeQuality } from './quality/writeQuality.ts';
