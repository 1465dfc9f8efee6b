/** Handlers of uploads, collectors, definitions and deletion for the service. */

export { collectorsHandlers } from './collectors/collectorsHandlers.ts';
export { countClients, countCollectorJobs } from './collectors/schedules.ts';
export { clearHandlers } from './housekeeping/clearHandler.ts';
export { uploadHandlers } from './ingest/uploadHandlers.ts';
export { uploadRoom } from './ingest/uploadRoom.ts';
export { readBundleArchive } from './openGraph/bundle/bundleArchive.ts';
export { checkOffline, type OfflineCheck } from './openGraph/bundle/checkOffline.ts';
export {
  BUNDLE_LIMITS,
  type BundleFile,
  type GivenDefinition,
  readBundleFiles,
} from './openGraph/bundle/readBundle.ts';
export {
  type ExtensionPreview,
  extensionHandlers,
  type StartExtensionPreview,
} from './openGraph/extensionHandlers.ts';
export { openGraphHandlers } from './openGraph/openGraphHandlers.ts';
