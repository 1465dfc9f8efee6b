/** Helpers that tests of other packages share with those of this one. */

export { createUploadJob, endUploadJob } from '../src/ingest/jobStatus.ts';
export { storeUpload } from '../src/ingest/storeUpload.ts';
export { findUploadJob } from '../src/ingest/uploadJobs.ts';
export { extensionHandlers } from '../src/openGraph/extensionHandlers.ts';
export { installExtension } from '../src/openGraph/extensions/installedExtensions.ts';
export { dumpFacts } from './ingest/dumpFacts.ts';
export { emptyStore } from './ingest/emptyStore.ts';
export { described, edge, edgeSet, mentioned, record } from './ingest/facts.ts';
export { mergeRecords } from './ingest/mergeHarness.ts';
export { ace, collection, computerRecord, groupRecord, userRecord } from './ingest/sharpHound.ts';
export {
  archiveOf,
  type CollectedFiles,
  SAMPLE_COLLECTION,
  TEST_COLLECTIONS,
} from './ingest/testCollections.ts';
export { ingestAll, ingestContext, type TestUpload, upload, zipOf } from './ingest/uploads.ts';
export { largeDefinition } from './openGraph/largeDefinition.ts';
