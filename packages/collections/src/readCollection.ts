/**
 * Reads a collection file: converts bytes to batches of facts, one object at a time, in bounded memory for files of any size. Only an
 * invalid object itself is lost, and only the data after a fault of the file.
 */
import type { ObjectFacts, ReadIssue } from '@clew/model';
import { Envelope, type ObjectHandler, OUTLINE, structureFault } from './envelope.ts';
import { type FileFault, fileFault } from './fileFault.ts';
import type { CollectionHeader } from './header.ts';
import { StructureScanner } from './json/structureScanner.ts';
import type { ParsedValue } from './json/value.ts';
import type { OmittedReason } from './json/valueCapture.ts';
import { type KnownObjects, ObjectDigests } from './knownObjects.ts';
import { DEFAULT_READ_LIMITS, type ReadLimits } from './limits.ts';
import { faultOf, locateHeader } from './locateHeader.ts';
import type { DeclaredKinds } from './opengraph/kindSpelling.ts';
import { type ObjectPlace, type ObjectReader, rejectedObject } from './reader.ts';
import { readerFor } from './readers.ts';
import { type CollectionReport, ReportWriter } from './report.ts';
import type { CollectionSource } from './source.ts';
import { Utf8Text } from './text/utf8Text.ts';
import { textBlocks } from './textBlocks.ts';

export interface ReadOptions {
  readonly limits?: Partial<ReadLimits>;
  /** Objects that need not be read. Not used for OpenGraph, whose objects are small. */
  readonly known?: KnownObjects;
  /** Source kinds whose ids keep their case unless the file declares otherwise: definitions of extensions declare them. */
  readonly caseSensitiveSources?: ReadonlySet<string>;
  /** Kinds that definitions of extensions declare: similar names in OpenGraph files are reported. */
  readonly declaredKinds?: DeclaredKinds;
  /** When aborted, the iteration throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Can be iterated once. Batches contain objects that are valid at least in part; fewer or none if some were skipped. */
export interface CollectionReading extends AsyncIterable<readonly ObjectFacts[]> {
  /** The report on the part read so far; final after the iteration. */
  readonly report: CollectionReport;
}

/**
 * Faults of the file are in `report.fault` and `report.issues`, never thrown.
 * @throws during iteration: the errors of the source (except DamagedSourceError), and the signal's reason
 */
export function readCollection(source: CollectionSource, options: ReadOptions = {}): CollectionReading {
  const limits = { ...DEFAULT_READ_LIMITS, ...options.limits };
  const report = new ReportWriter(source.name, limits.maxIssues);
  return {
    [Symbol.asyncIterator]: () => readBatches(source, limits, report, options),
    get report() {
      return report.report();
    },
  };
}

/** Identifies the file without reading its objects. */
export async function sniffCollection(
  source: CollectionSource,
  options: ReadOptions = {},
): Promise<CollectionHeader | FileFault> {
  try {
    return await locateHeader(source, { ...DEFAULT_READ_LIMITS, ...options.limits }, options.signal);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return fault;
  }
}

async function* readBatches(
  source: CollectionSource,
  limits: ReadLimits,
  report: ReportWriter,
  { known, caseSensitiveSources, declaredKinds, signal }: ReadOptions,
): AsyncGenerator<readonly ObjectFacts[]> {
  const said = await sniffCollection(source, { limits, signal });
  if ('code' in said) return report.fail(said);
  const keepsCase = said.keepsCase ?? caseSensitiveSources?.has(said.sourceKind ?? '') ?? false;
  const header: CollectionHeader = keepsCase ? { ...said, keepsCase } : said;
  report.recognize(header);
  const objects = beginFile(header, report, declaredKinds);
  if ('code' in objects) return report.fail(objects);
  const batch = new Batch(objects, limits, report);
  if (known !== undefined && header.format !== 'opengraph')
    batch.passOver(known, new ObjectDigests(known.context, header, limits));
  try {
    const envelope = new Envelope(limits, batch);
    const scanner = new StructureScanner(OUTLINE, envelope, limits);
    for await (const block of textBlocks(source, new Utf8Text(), signal)) {
      scanner.write(block);
      report.bytes = scanner.bytesRead;
      if (scanner.fault !== undefined) break;
      if (batch.isFull) yield batch.take();
    }
    scanner.end();
    const fault = scanner.fault === undefined ? envelope.missing() : structureFault(scanner.fault);
    if (fault !== undefined) report.fail(fault);
    else if (header.format === 'opengraph') noteOfGraph(envelope, report);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    report.fail({ offset: report.bytes, ...fault });
  }
  if (!batch.isEmpty) yield batch.take();
}

function noteOfGraph(envelope: Envelope, report: ReportWriter): void {
  for (const reason of envelope.ignored()) report.add({ severity: 'note', reason });
  if (report.isEmpty) report.add({ severity: 'note', reason: 'the graph has no nodes and no edges' });
}

/** Maximum number of `metadata` members in the report. */
const MAX_NAMED = 10;

function beginFile(
  header: CollectionHeader,
  report: ReportWriter,
  declared: DeclaredKinds | undefined,
): ObjectReader | FileFault {
  const reader = readerFor(header);
  if (reader === undefined) return fileFault('unknown-type');
  const note = reader.note?.(header, declared);
  if (note !== undefined) report.add({ severity: 'note', reason: note });
  if (header.unknownMembers !== undefined) {
    const reason = `unknown members of metadata were ignored: ${header.unknownMembers.slice(0, MAX_NAMED).join(', ')}`;
    report.add({ severity: 'note', reason });
  }
  if (header.assumed) {
    const reason = `the file ends before meta; its name indicates that it contains ${header.type}`;
    report.add({ severity: 'note', reason });
  }
  return reader.begin(header, declared);
}

const OMITTED_BECAUSE: Readonly<Record<OmittedReason, (limits: ReadLimits) => string>> = {
  depth: (limits) => `it is nested deeper than ${limits.maxDepth} levels`,
  size: (limits) => `it is larger than ${limits.maxObjectBytes} bytes`,
  values: (limits) =>
    `it has more than ${limits.maxValues} values, or ${limits.maxMembers} members in one object`,
  string: (limits) => `a string in it is longer than ${limits.maxStringBytes} bytes`,
};

/** Objects that were read but not yet delivered. */
class Batch implements ObjectHandler {
  readonly #read: ObjectReader;
  readonly #limits: ReadLimits;
  readonly #report: ReportWriter;
  #known: { readonly objects: KnownObjects; readonly digests: ObjectDigests } | undefined;
  /** Digest of the next object. */
  #digest: Uint8Array | undefined;
  #facts: ObjectFacts[] = [];
  #passed = 0;
  #bytes = 0;

  constructor(read: ObjectReader, limits: ReadLimits, report: ReportWriter) {
    this.#read = read;
    this.#limits = limits;
    this.#report = report;
  }

  passOver(objects: KnownObjects, digests: ObjectDigests): void {
    this.#known = { objects, digests };
  }

  get isEmpty(): boolean {
    return this.#facts.length + this.#passed === 0;
  }

  get isFull(): boolean {
    const objects = this.#facts.length + this.#passed;
    return objects >= this.#limits.batchObjects || this.#bytes >= this.#limits.batchBytes;
  }

  take(): readonly ObjectFacts[] {
    const facts = this.#facts;
    this.#facts = [];
    this.#passed = 0;
    this.#bytes = 0;
    return facts;
  }

  knows(bytes: Uint8Array): boolean {
    if (this.#known === undefined) return false;
    this.#digest = this.#known.digests.of(bytes);
    if (!this.#known.objects.passes(this.#digest)) return false;
    this.#report.count([]);
    this.#passed++;
    return true;
  }

  object(section: string, index: number, parsed: ParsedValue, offset: number, bytes: number): void {
    const place: ObjectPlace = { section, index, offset };
    if ('fault' in parsed) {
      this.#add(rejectedObject(place, parsed.fault, offset + parsed.at));
      return;
    }
    const facts = this.#read(parsed.value, place);
    this.#bytes += bytes;
    if (parsed.mended) this.#add({ ...facts, issues: [...facts.issues, mendedIssue(place)] });
    else if (this.#digest === undefined || facts.issues.length > 0) this.#add(facts);
    else this.#add({ ...facts, digest: Buffer.from(this.#digest) });
  }

  omitted(section: string, index: number, reason: OmittedReason, offset: number): void {
    this.#add(rejectedObject({ section, index, offset }, OMITTED_BECAUSE[reason](this.#limits)));
  }

  #add(facts: ObjectFacts): void {
    if (this.#report.count(facts.issues) !== 'rejected') this.#facts.push(facts);
  }
}

function mendedIssue({ index, offset }: ObjectPlace): ReadIssue {
  const reason = 'NUL characters or lone surrogates were replaced by U+FFFD';
  return { severity: 'repaired', index, offset, reason };
}
