/** Limits that keep the memory of a reader bounded, whatever a file holds. */

export interface ReadLimits {
  /** Deepest nesting of arrays and objects inside one object of a file. */
  readonly maxDepth: number;
  /** Largest object of a file, in bytes of UTF-8. */
  readonly maxObjectBytes: number;
  /** Most values in an object of a file, and most members of one JSON object in it: each costs more memory than bytes. */
  readonly maxValues: number;
  readonly maxMembers: number;
  /** Longest string inside an object, in bytes as written. */
  readonly maxStringBytes: number;
  /** Issues kept in a report; the rest is only counted. */
  readonly maxIssues: number;
  /** Objects handed over together. */
  readonly batchObjects: number;
  /** Bytes of objects after which a batch is handed over even if it holds fewer. */
  readonly batchBytes: number;
}

export const DEFAULT_READ_LIMITS: ReadLimits = {
  maxDepth: 512,
  maxObjectBytes: 64 * 1024 * 1024,
  // A group of a million members has four million values; objects in files have some hundred members.
  maxValues: 5_000_000,
  maxMembers: 50_000,
  maxStringBytes: 8 * 1024 * 1024,
  maxIssues: 100,
  batchObjects: 500,
  batchBytes: 4 * 1024 * 1024,
};

export interface ArchiveLimits {
  /** Members an archive may list, directories included. */
  readonly maxEntries: number;
  /** Bytes all members may decompress to. */
  readonly maxTotalBytes: number;
  /** Bytes one member may decompress to. */
  readonly maxMemberBytes: number;
  /** Largest decompressed size for one compressed byte; checked on members above `ratioFromBytes`. */
  readonly maxRatio: number;
  readonly ratioFromBytes: number;
}

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 10_000,
  maxTotalBytes: 64 * 1024 ** 3,
  maxMemberBytes: 16 * 1024 ** 3,
  // Collector JSON packs 20 to 60 to 1; deflate cannot exceed 1032 to 1.
  maxRatio: 300,
  ratioFromBytes: 64 * 1024 ** 2,
};
