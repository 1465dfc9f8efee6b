/** Reads one file of a job and stages what it says. */
import { createHash } from 'node:crypto';
import {
  type CollectionReport,
  type CollectionSource,
  type ReadLimits,
  readCollection,
} from '@clew/collections';
import { type FileResult, fileResult, StoreIssues } from './fileReport.ts';
import type { FactStager } from './staging/factStager.ts';
import { IdSet } from './staging/idSet.ts';

export interface StagedFile extends FileResult {
  /** Of the content, when all of it was read. */
  readonly sha256?: Buffer;
  /** Objects the file speaks of. */
  readonly seen: IdSet;
  /** Who says it; absent when the file said nothing. */
  readonly sourceName?: string;
}

export interface StageOptions {
  /** Number of the file in the job. */
  readonly origin: number;
  readonly stager: FactStager;
  readonly sourceId: (name: string) => Promise<number>;
  readonly limits?: Partial<ReadLimits>;
  readonly signal: AbortSignal;
}

/**
 * @param sha256 of the content when it is known already
 * @throws what the store throws; never for what is in the file
 */
export async function stageFile(
  source: CollectionSource,
  sha256: Buffer | undefined,
  options: StageOptions,
): Promise<StagedFile> {
  const hashed = sha256 === undefined ? new HashingSource(source) : undefined;
  const reading = readCollection(hashed ?? source, { limits: options.limits, signal: options.signal });
  const issues = new StoreIssues();
  const seen = new IdSet();
  let sourceName: string | undefined;
  // While the database resolves the names of one batch, the next is being read.
  let staging: Promise<void> = Promise.resolve();
  try {
    for await (const batch of reading) {
      await staging;
      options.signal.throwIfAborted();
      // The header is known before the first object is.
      sourceName ??= sourceNameOf(reading.report);
      const scope = {
        origin: options.origin,
        sourceId: await options.sourceId(sourceName),
        seen,
        report: (issue: Parameters<StoreIssues['add']>[0]) => issues.add(issue),
      };
      staging = options.stager.add(scope, batch);
      staging.catch(() => {});
    }
  } finally {
    await staging;
  }
  options.signal.throwIfAborted();
  const whole = reading.report.fault === undefined;
  return {
    ...fileResult(reading.report, issues),
    sha256: whole ? (sha256 ?? hashed?.digest) : undefined,
    seen,
    sourceName,
  };
}

/** OpenGraph data of different source kinds come from different sources: one can be deleted without the others. */
function sourceNameOf({ format, sourceKind }: CollectionReport): string {
  return sourceKind === undefined ? (format as string) : `${format}:${sourceKind}`;
}

/** A source that takes the digest of its bytes the first time they are read to the end. */
class HashingSource implements CollectionSource {
  readonly name: string;
  readonly tail: CollectionSource['tail'];
  digest: Buffer | undefined;
  readonly #source: CollectionSource;

  constructor(source: CollectionSource) {
    this.name = source.name;
    this.#source = source;
    this.tail =
      source.tail === undefined
        ? undefined
        : (length) => (source.tail as NonNullable<typeof source.tail>)(length);
  }

  async *open(): AsyncGenerator<Uint8Array> {
    if (this.digest !== undefined) {
      yield* this.#source.open();
      return;
    }
    const hash = createHash('sha256');
    for await (const chunk of this.#source.open()) {
      hash.update(chunk);
      yield chunk;
    }
    this.digest ??= hash.digest();
  }
}
