/**
 * Checks a plain JSON body during an upload: whether it is a well-formed collection of a known type, and for a graph also whether its nodes
 * and edges match the schema, because the author of such a file needs the answer at once. Objects above the limits are accepted: the reader
 * rejects them individually.
 *
 * Rules: `docs/reference/collections.md#archives` and `docs/reference/collections.md#opengraph`, and
 * `docs/reference/api.md#upload-of-one-file`.
 */

import { BadFileError } from './badFileError.ts';
import { Envelope, OUTLINE, structureFault } from './envelope.ts';
import { type FileFault, fileFault } from './fileFault.ts';
import type { CollectionHeader } from './header.ts';
import { type StructureFault, StructureScanner } from './json/structureScanner.ts';
import { DEFAULT_READ_LIMITS, type ReadLimits } from './limits.ts';
import { faultOf } from './locateHeader.ts';
import { GraphSchemaCheck } from './opengraph/schemaCheck.ts';
import { Utf8Text } from './text/utf8Text.ts';

/**
 * Maximum size of a value that is parsed here at once, while requests wait: objects of a collection are only skipped, and larger ones of a
 * graph are checked when they are read.
 */
const MAX_PARSED_BYTES = 512 * 1024;

/** Section of the objects of a collection; all other sections belong to a graph. */
const COLLECTION = 'data';

export class UploadValidator {
  readonly #text = new Utf8Text();
  readonly #envelope: Envelope;
  readonly #scanner: StructureScanner;
  readonly #graph = new GraphSchemaCheck();
  #fault: FileFault | undefined;
  /** The current text, the last bytes before it, and its offset in the file. */
  #piece: Uint8Array = new Uint8Array(0);
  #before: Uint8Array = new Uint8Array(0);
  #pieceAt = 0;

  constructor(limits: Partial<ReadLimits> = {}) {
    const all = { ...DEFAULT_READ_LIMITS, maxObjectBytes: MAX_PARSED_BYTES, ...limits };
    this.#envelope = new Envelope(all, {
      object: (section, index, parsed, offset) => {
        if ('fault' in parsed) throw malformed(section, index, parsed.fault, offset + parsed.at);
        if (section !== COLLECTION) this.#graph.object(section, index, parsed.value);
      },
      // Only elements of a graph are checked against a schema.
      passes: (section) => section === COLLECTION,
      omitted() {},
    });
    this.#scanner = new StructureScanner(OUTLINE, this.#envelope, all);
  }

  /** The first fault, as soon as it is known: the rest of the body is then unnecessary. */
  get fault(): FileFault | undefined {
    return this.#fault;
  }

  write(chunk: Uint8Array): void {
    this.#check(() => this.#scan(this.#text.write(chunk)));
  }

  /** Called at the end of the body. */
  finish(): CollectionHeader | FileFault {
    this.#check(() => {
      this.#scan(this.#text.end());
      this.#scanner.end();
    });
    const { header } = this.#envelope;
    return (
      this.#fault ??
      this.#envelope.missing() ??
      this.#graph.finish(header?.sourceKind) ??
      header ??
      fileFault('no-tags')
    );
  }

  #scan(piece: Uint8Array): void {
    this.#before = lastBytes(this.#before, this.#piece);
    this.#pieceAt += this.#piece.length;
    this.#piece = piece;
    this.#scanner.write(piece);
  }

  /**
   * Text in another encoding than UTF-8 fails at its first non-ASCII letter or right after it, so the encoding is reported as the fault.
   * Only the bytes up to the fault are used, so that the result does not depend on the pieces.
   */
  #notUtf8({ reason, offset }: StructureFault): FileFault | undefined {
    if (reason !== 'malformed' || offset === 0 || !this.#text.isPassedThrough) return undefined;
    const begin = this.#pieceAt - this.#before.length;
    const bytes = Buffer.concat([this.#before, this.#piece]);
    const at = beginOfBrokenCharacter(bytes, offset - begin);
    return at === undefined ? undefined : fileFault('encoding', 'it is not UTF-8', begin + at);
  }

  #check(step: () => void): void {
    if (this.#fault !== undefined) return;
    try {
      step();
      const { fault } = this.#scanner;
      if (fault !== undefined) this.#fault = this.#notUtf8(fault) ?? structureFault(fault);
      else if (this.#graph.isFull) this.#fault = this.#graph.finish(this.#envelope.header?.sourceKind);
    } catch (error) {
      this.#fault = faultOf(error);
      if (this.#fault === undefined) throw error;
    }
  }
}

function malformed(section: string, index: number, fault: string, at: number): BadFileError {
  return new BadFileError(fileFault('not-json', `object ${index} of "${section}": ${fault}`, at));
}

/** Maximum length of a UTF-8 character, minus one byte. */
const MAX_REST = 3;

function lastBytes(before: Uint8Array, piece: Uint8Array): Uint8Array {
  return Buffer.concat([before, piece.subarray(-MAX_REST)]).subarray(-MAX_REST);
}

/** @returns the start of the character that is invalid at `place`, or incomplete before it */
function beginOfBrokenCharacter(bytes: Uint8Array, place: number): number | undefined {
  if (bytes[place] >= 0x80) return place;
  let lead = place - 1;
  while (lead >= 0 && place - lead < MAX_REST && (bytes[lead] & 0xc0) === 0x80) lead--;
  const first = bytes[lead] ?? 0;
  const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return place - lead < length ? lead : undefined;
}
