/** Readers of collection files: convert bytes to facts as a stream in bounded memory, with a report per file. */
export { type Archive, type ArchiveMember, archiveFromFile, archiveFromReader } from './archive/archive.ts';
export { type FileFault, type FileFaultCode, fileFault } from './fileFault.ts';
export type { CollectionFormat, CollectionHeader } from './header.ts';
export type { KnownObjects } from './knownObjects.ts';
export type { ArchiveLimits, ReadLimits } from './limits.ts';
export { namesMethods } from './namesMethods.ts';
export type { DeclaredKinds } from './opengraph/kindSpelling.ts';
export {
  type CollectionReading,
  type ReadOptions,
  readCollection,
} from './readCollection.ts';
export type { CollectionReport } from './report.ts';
export { type CollectionSource, sourceFromBytes } from './source.ts';
export { looksLikeArchive, looksLikeEmptyArchive } from './textBlocks.ts';
export { UploadValidator } from './uploadValidator.ts';
