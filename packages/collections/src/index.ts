/** Readers of collection files: bytes to facts, streaming, in bounded memory, with a report per file. */
import type { ObjectFacts } from '@clew/model';
import type { FileFault } from './fileFault.ts';
import type { ArchiveLimits, ReadLimits } from './limits.ts';
import type { CollectionFormat, CollectionReport } from './report.ts';
import type { CollectionSource } from './source.ts';

export * from './fileFault.ts';
export * from './limits.ts';
export * from './report.ts';
export * from './source.ts';

// ---- Published ahead of the implementation, so that others can build on the signatures. ----

export interface ReadOptions {
  readonly limits?: Partial<ReadLimits>;
  readonly signal?: AbortSignal;
}

/** Iterate it once; batches hold only objects that are good in whole or in part. */
export interface CollectionReading extends AsyncIterable<readonly ObjectFacts[]> {
  /** Live; final when the iteration has ended. */
  readonly report: CollectionReport;
}

/**
 * Never throws for what is in the file (see `report.fault`, `report.issues`); throws what the source throws.
 */
export declare function readCollection(source: CollectionSource, options?: ReadOptions): CollectionReading;

export interface CollectionHeader {
  readonly format: CollectionFormat;
  readonly type?: string;
  readonly version?: number;
  readonly methods?: bigint;
  readonly collectorVersion?: string;
}

/** What the file is, without reading its objects. */
export declare function sniffCollection(
  source: CollectionSource,
  options?: ReadOptions,
): Promise<CollectionHeader | FileFault>;

/** Checks a plain JSON body while it streams by: write every chunk, then ask for the verdict. */
export declare class UploadValidator {
  constructor(limits?: Partial<ReadLimits>);
  write(chunk: Uint8Array): void;
  /** Well formed and recognised, or the first fault with the message of the upload answer. */
  finish(): CollectionHeader | FileFault;
}

export interface ArchiveMember {
  /** Path inside the archive, made safe for display. */
  readonly name: string;
  readonly size: number;
  readonly compressedSize: number;
  /** Readable unless `fault` says why not. Members may be read one after the other or at once. */
  readonly source?: CollectionSource;
  readonly fault?: FileFault;
}

export interface Archive extends AsyncDisposable {
  /** Every file of the archive in the order of its directory; directories are left out. */
  readonly members: readonly ArchiveMember[];
  /** Why the archive as a whole is not readable, or only in part. */
  readonly fault?: FileFault;
  close(): Promise<void>;
}

/** True if the first bytes are those of a zip archive. */
export declare function looksLikeArchive(head: Uint8Array): boolean;
export declare function archiveFromFile(path: string, limits?: Partial<ArchiveLimits>): Promise<Archive>;
export declare function archiveFromReader(
  size: number,
  read: (offset: number, length: number) => Promise<Uint8Array>,
  limits?: Partial<ArchiveLimits>,
): Promise<Archive>;
