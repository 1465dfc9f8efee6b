/** Reads one file of a job and stages what it says. */
import {
  type CollectionReport,
  type CollectionSource,
  type ReadLimits,
  readCollection,
} from '@clew/collections';
import { type FileResult, fileResult, StoreIssues } from './fileReport.ts';
import type { FactStager } from './staging/factStager.ts';
import type { FileScope } from './staging/fileScope.ts';
import { IdSet } from './staging/idSet.ts';

export interface StagedFile extends FileResult {
  /** All of it was read. */
  readonly whole: boolean;
  /** Objects of the file; none when nothing in it could be read. */
  readonly seen: IdSet | undefined;
}

export interface StageOptions {
  /** Number of the file in the job. */
  readonly origin: number;
  readonly stager: FactStager;
  /** Notes the file and its source. @returns the number of the source */
  readonly begin: (sourceName: string) => Promise<number>;
  readonly limits?: Partial<ReadLimits>;
  readonly signal: AbortSignal;
}

/** @throws what the store throws; never for what is in the file */
export async function stageFile(
  source: CollectionSource,
  { origin, stager, begin, limits, signal }: StageOptions,
): Promise<StagedFile> {
  const reading = readCollection(source, { limits, signal });
  const issues = new StoreIssues();
  let scope: FileScope | undefined;
  // While the database resolves the names of one batch, the next is being read.
  let staging: Promise<void> = Promise.resolve();
  try {
    for await (const batch of reading) {
      await staging;
      signal.throwIfAborted();
      // The header is known before the first object is.
      scope ??= {
        origin,
        sourceId: await begin(sourceNameOf(reading.report)),
        seen: new IdSet(),
        report: (issue) => issues.add(issue),
      };
      staging = stager.add(scope, batch);
      staging.catch(() => {});
    }
  } finally {
    await staging;
  }
  signal.throwIfAborted();
  return {
    ...fileResult(reading.report, issues),
    whole: reading.report.fault === undefined,
    seen: scope?.seen,
  };
}

/** OpenGraph data of different source kinds come from different sources: one can be deleted without the others. */
function sourceNameOf({ format, sourceKind }: CollectionReport): string {
  return sourceKind === undefined ? (format as string) : `${format}:${sourceKind}`;
}
