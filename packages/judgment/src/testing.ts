/** Helpers that tests of other packages share with those of this one. */

export { acceptFinding, FOR_EVER } from './findings/acceptance.ts';
export { undoBulkChange } from './findings/bulkChanges.ts';
export { acceptancesIn, analysisChanges, causesOf } from './findings/changeCauses.ts';
export { changesSince } from './findings/changes.ts';
export { checkEvidence } from './findings/checks/checkEvidence.ts';
export { publishChecks } from './findings/checks/runChecks.ts';
export { readChecks, removeCheck, storeCheck, switchCheck } from './findings/checks/storedChecks.ts';
export { findingGroups } from './findings/findingGroups.ts';
export {
  availableTypes,
  eachFinding,
  type FindingRow,
  findingById,
  listFindings,
  UNIFIED_REFERENCES,
} from './findings/findingQueries.ts';
export { combinedHandlers } from './findings/http/combined/combinedHandlers.ts';
export { findingHandlers } from './findings/http/findingHandlers.ts';
export { unifiedFinding } from './findings/http/findingRecords.ts';
export { notePlannedFindings } from './findings/plannedFindings.ts';
export {
  currentPosture,
  DEFAULT_ZONES,
  findingTrends,
  POSTURE_HISTORY_TYPES,
  postureHistory,
  postureStats,
  riskCounts,
  type SeriesScope,
} from './findings/posture.ts';
export type { ShownFindings } from './findings/publish/changedFindings.ts';
export { publishFindings } from './findings/publish/publishFindings.ts';
export { rankFindings } from './findings/rankFindings.ts';
export { testActor } from './findings/testing/actor.ts';
export { emptyFindings } from './findings/testing/emptyFindings.ts';
export { ANN, BOB, DOMAIN, forest, SERVER } from './findings/testing/forest.ts';
export { COLLECTED, SmallDomain } from './findings/testing/smallDomain.ts';
export { changeSelectors, findAssetGroup, listAssetGroups } from './findings/zones/legacyGroups.ts';
export {
  countMembers,
  decideCertification,
  findMember,
  listCertifications,
  listMembers,
  searchZones,
} from './findings/zones/members.ts';
export { previewSelector } from './findings/zones/preview.ts';
export {
  createSelector,
  deleteSelector,
  findSelector,
  listSelectors,
  selectorsOfMember,
  updateSelector,
} from './findings/zones/selectors.ts';
export { Certified, SeedType } from './findings/zones/storedZones.ts';
export { zoneHistory } from './findings/zones/zoneHistory.ts';
export {
  countZones,
  createZone,
  deleteZone,
  findZone,
  listZones,
  updateZone,
} from './findings/zones/zones.ts';
export { qualityHandlers } from './quality/qualityHandlers.ts';
export { PAUSES } from './webhooks/deliveries.ts';
