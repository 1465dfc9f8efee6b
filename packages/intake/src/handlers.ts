/** Handlers of uploads, collectors, definitions and deletion for the service, and their metrics. */

export { shownClient } from './collectors/clientHandlers.ts';
export { HYDRATED } from './collectors/collectionScope.ts';
export { countClients, countCollectorJobs } from './collectors/schedules.ts';
export { intakeHandlers } from './intakeHandlers.ts';
export { readBundleArchive } from './openGraph/bundle/bundleArchive.ts';
export { checkOffline, type OfflineCheck } from './openGraph/bundle/checkOffline.ts';
export {
  BUNDLE_LIMITS,
  type BundleFile,
  type GivenDefinition,
  readBundleFiles,
} from './openGraph/bundle/readBundle.ts';
export type { ExtensionPreview, StartExtensionPreview } from './openGraph/extensionHandlers.ts';
export type { Expectation, ExtensionTest } from './openGraph/extensions/testMembers.ts';
