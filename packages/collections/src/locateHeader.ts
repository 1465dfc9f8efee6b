/**
 * Finds the header of a file before its objects are read: at the start, else in the last bytes, else in a pass over the structure, or (if
 * the file is cut off before `meta`) from the file's name.
 */
import { BadFileError } from './badFileError.ts';
import { Envelope, OUTLINE, structureFault } from './envelope.ts';
import { type FileFault, type FileFaultCode, fileFault } from './fileFault.ts';
import type { CollectionHeader } from './header.ts';
import { StructureScanner } from './json/structureScanner.ts';
import { isObject, type Json, parseValue } from './json/value.ts';
import type { ReadLimits } from './limits.ts';
import { headerFromName, readMeta, readMetadata } from './readHeader.ts';
import { type CollectionSource, DamagedSourceError } from './source.ts';
import { Utf8Text } from './text/utf8Text.ts';
import { textBlocks } from './textBlocks.ts';

const TAIL_BYTES = 64 * 1024;

/** Faults of a damaged file: its objects may still be valid. */
const CUT_SHORT: ReadonlySet<FileFaultCode> = new Set(['truncated', 'not-json', 'encoding', 'damaged']);

/** @throws BadFileError if the file is not a collection; the errors of the source; the signal's reason */
export async function locateHeader(
  source: CollectionSource,
  limits: ReadLimits,
  signal?: AbortSignal,
): Promise<CollectionHeader> {
  const text = new Utf8Text();
  const atTop = await scan(source, limits, text, signal, 'until objects');
  if (atTop !== 'objects come first') return atTop;
  const tail = text.isPassedThrough ? await source.tail?.(TAIL_BYTES) : undefined;
  const atEnd = headerInTail(tail ?? (await drain(source, signal)));
  if (atEnd !== undefined) return atEnd;
  try {
    return (await scan(source, limits, new Utf8Text(), signal, 'to the end')) as CollectionHeader;
  } catch (error) {
    const fault = faultOf(error);
    const assumed = fault && CUT_SHORT.has(fault.code) ? headerFromName(source.name) : undefined;
    if (assumed === undefined) throw error;
    return assumed;
  }
}

/** @returns the fault of the file that an error reports; `undefined` for other errors */
export function faultOf(error: unknown): FileFault | undefined {
  if (error instanceof BadFileError) return error.fault;
  if (error instanceof DamagedSourceError) return fileFault('damaged', error.message);
  return undefined;
}

async function scan(
  source: CollectionSource,
  limits: ReadLimits,
  text: Utf8Text,
  signal: AbortSignal | undefined,
  extent: 'until objects' | 'to the end',
): Promise<CollectionHeader | 'objects come first'> {
  const envelope = new Envelope(limits);
  const scanner = new StructureScanner(OUTLINE, envelope, limits);
  for await (const block of textBlocks(source, text, signal)) {
    scanner.write(block);
    if (envelope.isHeaderFinal) return envelope.header as CollectionHeader;
    if (extent === 'until objects' && envelope.reachedObjects) return 'objects come first';
    if (scanner.fault !== undefined) break;
  }
  scanner.end();
  // A graph without metadata is complete; a truncated one is still recognized as a graph.
  if (envelope.header !== undefined && envelope.missing() === undefined) return envelope.header;
  const fault = scanner.fault === undefined ? envelope.missing() : structureFault(scanner.fault);
  throw new BadFileError(fault ?? fileFault('no-meta'));
}

/** The last bytes of the text, after a pass over all of it; empty if the pass fails. */
async function drain(source: CollectionSource, signal: AbortSignal | undefined): Promise<Uint8Array> {
  let tail = Buffer.alloc(0);
  try {
    for await (const block of textBlocks(source, new Utf8Text(), signal)) {
      const kept = tail.subarray(Math.max(0, tail.length + block.length - TAIL_BYTES));
      tail = Buffer.concat([kept, block.subarray(Math.max(0, block.length - TAIL_BYTES))]);
    }
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
    return Buffer.alloc(0);
  }
  return tail;
}

/** Maximum number of members called `meta` tried from the end of a text before a full pass. */
const MAX_TAIL_ATTEMPTS = 8;

/**
 * Reads `meta` or `metadata` from the end of a text. A quotation mark without a preceding backslash is never inside a string. So if the
 * rest of the text after a brace is a complete object with `meta`, that is the outermost `meta` of a well-formed file. (The pass over the
 * objects checks the end of a malformed one.)
 */
function headerInTail(tail: Uint8Array): CollectionHeader | undefined {
  const text = Buffer.from(tail).toString('utf8');
  let at = text.length;
  for (let attempt = 0; attempt < MAX_TAIL_ATTEMPTS && at > 0; attempt++) {
    at = text.lastIndexOf('"meta', at - 1);
    if (at < 0) return undefined;
    const rest = text[at - 1] === '\\' ? undefined : parseObject(`{${text.slice(at)}`);
    if (!isObject(rest)) continue;
    if (rest.meta !== undefined) return readMeta(rest.meta, text.slice(at));
    if (rest.metadata !== undefined) return readMetadata(rest.metadata);
  }
  return undefined;
}

function parseObject(text: string): Json | undefined {
  const parsed = parseValue(Buffer.from(text));
  return 'fault' in parsed ? undefined : parsed.value;
}
