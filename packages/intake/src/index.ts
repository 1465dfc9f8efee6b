/** Exports for later stages: uploads, collectors, definitions of other platforms, and deletion. */

export { expireJobs, pruneJobs } from './collectors/collectorJobs.ts';
export { makeDueJobs } from './collectors/schedules.ts';
export { carryOutDeletions } from './housekeeping/deleteGraph.ts';
export { waitingDeletion } from './housekeeping/deletionRequests.ts';
export { type AgingLimits, pruneStale } from './housekeeping/prune.ts';
export { pruneAuditLog } from './housekeeping/pruneAuditLog.ts';
export { pruneGoneSets } from './housekeeping/pruneGoneSets.ts';
export { pruneReadings } from './housekeeping/pruneReadings.ts';
export { drainIngest } from './ingest/drainIngest.ts';
export type { IngestLimits } from './ingest/ingestJob.ts';
export {
  type AnalysisOutcome,
  expireUploadJobs,
  finishJobs,
  JOBS_BEING_ANALYZED,
  noteObstacle,
  removeUnneededBytes,
} from './ingest/jobStatus.ts';
export { type TraceOfJobs, traceOfJobs } from './ingest/jobTraces.ts';
export { collectedDomains } from './ingest/merge/lateNodes.ts';
export { SourceNumbers } from './ingest/origins.ts';
export { removeAbandonedUploads } from './ingest/storeUpload.ts';
export { builtInExtension } from './openGraph/extensionHandlers.ts';
export { type ReadCheck, readCheck } from './openGraph/extensions/checkMembers.ts';
export type { KindNumbers } from './openGraph/extensions/declaredChecks.ts';
export { readDeclaredKinds, storedDerivation } from './openGraph/extensions/declaredKinds.ts';
export { derivationLevels, typesRead } from './openGraph/extensions/derivationOrder.ts';
export { ExtensionDirectory, sectionsInOrder } from './openGraph/extensions/extensionDirectory.ts';
export { listExtensions } from './openGraph/extensions/installedExtensions.ts';
export { otherNames } from './openGraph/extensions/knownNames.ts';
