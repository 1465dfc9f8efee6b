/** Helpers that tests of other packages share with those of this one. */

export { clearHandlers } from './housekeeping/clearHandler.ts';
export { requestDeletion } from './housekeeping/deletionRequests.ts';
export { type FileReport, fileWarnings } from './ingest/fileReport.ts';
export { createUploadJob, endUploadJob } from './ingest/jobStatus.ts';
export { storeUpload } from './ingest/storeUpload.ts';
export { dumpFacts } from './ingest/testing/dumpFacts.ts';
export { emptyStore } from './ingest/testing/emptyStore.ts';
export { described, edge, edgeSet, mentioned, record } from './ingest/testing/facts.ts';
export {
  dayTime,
  mergeFiles,
  mergeInBatches,
  mergeRecords,
  type TestFile,
} from './ingest/testing/mergeHarness.ts';
export { ace, collection, computerRecord, groupRecord, userRecord } from './ingest/testing/sharpHound.ts';
export {
  archiveOf,
  type CollectedFiles,
  GENERATED_COLLECTION,
  generatedForest,
  SAMPLE_COLLECTION,
  TEST_COLLECTIONS,
} from './ingest/testing/testCollections.ts';
export {
  bytesOf,
  ingestAll,
  ingestContext,
  type TestUpload,
  upload,
  zipOf,
} from './ingest/testing/uploads.ts';
export { type CompletedTask, completedTasks, findUploadJob, type UploadJob } from './ingest/uploadJobs.ts';
export { extensionHandlers } from './openGraph/extensionHandlers.ts';
export { installExtension } from './openGraph/extensions/installedExtensions.ts';
export { listSourceKinds } from './openGraph/sourceKinds.ts';
export { largeDefinition } from './openGraph/testing/largeDefinition.ts';
