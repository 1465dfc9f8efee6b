/** Limits that keep the memory of a reader bounded for any file. */

export interface ReadLimits {
  /** Maximum nesting of arrays and objects in an object of a file. */
  readonly maxDepth: number;
  /** Maximum size of an object in a file, in bytes of UTF-8. */
  readonly maxObjectBytes: number;
  /** Maximum number of values in an object of a file, and of members in one JSON object: values take more memory than bytes. */
  readonly maxValues: number;
  readonly maxMembers: number;
  /** Maximum length of a string in an object, in bytes as written. */
  readonly maxStringBytes: number;
  /** Maximum number of issues in a report; the rest is only counted. */
  readonly maxIssues: number;
  /** Number of objects per batch. */
  readonly batchObjects: number;
  /** A batch with this many bytes is delivered even if it has fewer objects. */
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
  /** Maximum number of members in an archive, including directories. */
  readonly maxEntries: number;
  /** Maximum decompressed size of all members. */
  readonly maxTotalBytes: number;
  /** Maximum decompressed size of a member. */
  readonly maxMemberBytes: number;
  /** Maximum compression ratio; checked for members above `ratioFromBytes`. */
  readonly maxRatio: number;
  readonly ratioFromBytes: number;
}

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 10_000,
  maxTotalBytes: 64 * 1024 ** 3,
  maxMemberBytes: 16 * 1024 ** 3,
  // Collector JSON compresses by a factor of 20 to 60; deflate is limited to 1032.
  maxRatio: 300,
  ratioFromBytes: 64 * 1024 ** 2,
};
