/**
 * Finds the header of a file before its objects are read: at the beginning, else in the last bytes, else by a
 * pass over the structure, else (a file cut off before `meta`) from the file's name.
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

/** Faults of a file that was whole once: its objects may still be good. */
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

/** @returns the fault of the file that an error reports; `undefined` for an error that is not one of the file */
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
  // A graph without metadata is whole; one that breaks off is still known to be a graph.
  if (envelope.header !== undefined && envelope.missing() === undefined) return envelope.header;
  const fault = scanner.fault === undefined ? envelope.missing() : structureFault(scanner.fault);
  throw new BadFileError(fault ?? fileFault('no-meta'));
}

/** The last bytes of the text, by a pass over all of it; none if that is not possible to the end. */
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

/** Members called `meta` that are tried from the end of a text, before a pass over all of it decides. */
const MAX_TAIL_ATTEMPTS = 8;

/**
 * Reads `meta` or `metadata` from the end of a text. A quotation mark without a backslash before it is never inside a string, so where the
 * rest of the text, put after a brace, is a whole object with `meta` in it, that is the outermost `meta` of a well-formed file. (The pass
 * over the objects judges the tail of a malformed one.)
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
