/** Helpers that tests of other packages share with those of this one. */

export { createUploadJob, endUploadJob } from './ingest/jobStatus.ts';
export { storeUpload } from './ingest/storeUpload.ts';
export { dumpFacts } from './ingest/testing/dumpFacts.ts';
export { emptyStore } from './ingest/testing/emptyStore.ts';
export { described, edge, edgeSet, mentioned, record } from './ingest/testing/facts.ts';
export { mergeRecords } from './ingest/testing/mergeHarness.ts';
export { ace, collection, computerRecord, groupRecord, userRecord } from './ingest/testing/sharpHound.ts';
export {
  archiveOf,
  type CollectedFiles,
  SAMPLE_COLLECTION,
  TEST_COLLECTIONS,
} from './ingest/testing/testCollections.ts';
export { ingestAll, ingestContext, type TestUpload, upload, zipOf } from './ingest/testing/uploads.ts';
export { findUploadJob } from './ingest/uploadJobs.ts';
export { extensionHandlers } from './openGraph/extensionHandlers.ts';
export { installExtension } from './openGraph/extensions/installedExtensions.ts';
export { largeDefinition } from './openGraph/testing/largeDefinition.ts';
