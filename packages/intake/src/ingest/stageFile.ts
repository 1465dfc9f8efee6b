/** Reads one file of a job and stages its facts. */
import {
  type CollectionReport,
  type CollectionSource,
  type FileFault,
  fileFault,
  type KnownObjects,
  namesMethods,
  type ReadLimits,
  readCollection,
} from '@clew/collections';
import type { DeclaredSources } from './declaredSources.ts';
import { type FileResult, fileResult, StoreIssues } from './fileReport.ts';
import { codeDigest } from './known/codeDigest.ts';
import type { KnownRecords } from './known/knownRecords.ts';
import type { FactStager } from './staging/factStager.ts';
import type { FileScope } from './staging/fileScope.ts';
import { IdSet } from './staging/idSet.ts';

export interface StagedFile extends FileResult {
  /** Whether the file was read completely. */
  readonly whole: boolean;
  /** Objects of the file; absent if nothing in it could be read. */
  readonly seen: IdSet | undefined;
}

export interface StageOptions {
  /** Number of the file in the job. */
  readonly origin: number;
  readonly stager: FactStager;
  /** Registers the file and its source. @returns the number of the source, and the observation time */
  readonly begin: (
    sourceName: string,
    namesMethods: boolean,
  ) => Promise<Pick<FileScope, 'sourceId' | 'observed'>>;
  readonly limits?: Partial<ReadLimits>;
  /** Records to skip. */
  readonly known?: KnownRecords;
  /** Declarations of installed definitions. */
  readonly declared?: DeclaredSources;
  /** Digest of the code that reads files; default: the current code. */
  readonly readers?: Buffer;
  /** Maximum milliseconds for the file. */
  readonly fileMs?: number;
  readonly signal: AbortSignal;
}

/** Aborts reading a file that takes too long. */
class FileTimeout extends Error {}

/** Notes which records were skipped. */
class PassingRecords implements KnownObjects {
  readonly context: Uint8Array;
  readonly #known: KnownRecords | undefined;
  #passed: number[] = [];

  /** @param context digest of the reading code: known records of other code are read again */
  constructor(known: KnownRecords | undefined, context: Uint8Array) {
    this.context = context;
    this.#known = known;
  }

  passes(digest: Uint8Array): boolean {
    const record = this.#known?.find(digest);
    if (record !== undefined) this.#passed.push(record);
    return record !== undefined;
  }

  /** @returns the records skipped since the last call */
  take(): readonly number[] {
    const passed = this.#passed;
    this.#passed = [];
    return passed;
  }
}

/** @throws errors of the store, but never errors caused by the contents of the file */
export async function stageFile(
  source: CollectionSource,
  { origin, stager, begin, limits, known, declared, readers = codeDigest(), fileMs, signal }: StageOptions,
): Promise<StagedFile> {
  const late = new AbortController();
  const timer = fileMs && setTimeout(() => late.abort(new FileTimeout()), fileMs);
  const passing = new PassingRecords(known, readers);
  const reading = readCollection(source, {
    limits,
    known: passing,
    ...declared,
    signal: AbortSignal.any([signal, late.signal]),
  });
  const issues = new StoreIssues();
  let scope: FileScope | undefined;
  // The next batch is read while the database resolves the names of the previous one.
  let staging: Promise<void> = Promise.resolve();
  try {
    for await (const batch of reading) {
      await staging;
      signal.throwIfAborted();
      // The header is known before the first object.
      scope ??= {
        origin,
        ...(await begin(sourceNameOf(reading.report), namesMethods(reading.report))),
        seen: new IdSet(),
        report: (issue) => issues.add(issue),
      };
      staging = stager.add(scope, batch, passing.take());
      staging.catch(() => {});
    }
  } catch (error) {
    if (!(error instanceof FileTimeout)) throw error;
  } finally {
    clearTimeout(timer);
    await staging;
  }
  signal.throwIfAborted();
  const { report } = reading;
  const fault = report.fault ?? (late.signal.aborted ? timeoutFault(fileMs ?? 0, report.bytes) : undefined);
  return { ...fileResult({ ...report, fault }, issues), whole: fault === undefined, seen: scope?.seen };
}

/** OpenGraph data with different source kinds have different sources, so that each source can be deleted separately. */
function sourceNameOf({ format, sourceKind }: CollectionReport): string {
  return sourceKind === undefined ? (format as string) : `${format}:${sourceKind}`;
}

function timeoutFault(fileMs: number, offset: number): FileFault {
  return fileFault('timed-out', `after ${Math.round(fileMs / 60_000)} minutes`, offset);
}
