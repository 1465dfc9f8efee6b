/**
 * Checks a plain JSON body while it streams by, for the answer to an upload: whether it is well formed and a collection of a known type,
 * and for a graph also whether its nodes and edges follow their schema: the author of such a file needs the answer at once. Objects beyond
 * the limits pass: they are rejected one by one when the file is read.
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
 * Largest value that is parsed here, in one go, while requests wait: objects of a collection are only passed over, and
 * those of a graph that are larger are judged when they are read.
 */
const MAX_PARSED_BYTES = 512 * 1024;

/** Section of the objects of a collection; all others are a graph's. */
const COLLECTION = 'data';

export class UploadValidator {
  readonly #text = new Utf8Text();
  readonly #envelope: Envelope;
  readonly #scanner: StructureScanner;
  readonly #graph = new GraphSchemaCheck();
  #fault: FileFault | undefined;
  /** The text that is being checked, the last bytes before it, and where in the file it begins. */
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

  /** The first fault, as soon as it is known: the rest of the body need not be received. */
  get fault(): FileFault | undefined {
    return this.#fault;
  }

  write(chunk: Uint8Array): void {
    this.#check(() => this.#scan(this.#text.write(chunk)));
  }

  /** The body has ended. */
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
   * Text of another encoding than UTF-8 breaks off at its first letter that is not ASCII, or right behind it: that is its fault. Judged by
   * the bytes up to the fault alone, so that it does not matter in which pieces they came.
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

/** Longest character of UTF-8, less one byte. */
const MAX_REST = 3;

function lastBytes(before: Uint8Array, piece: Uint8Array): Uint8Array {
  return Buffer.concat([before, piece.subarray(-MAX_REST)]).subarray(-MAX_REST);
}

/** @returns where the character begins that is broken at a place, or ends unfinished before it */
function beginOfBrokenCharacter(bytes: Uint8Array, place: number): number | undefined {
  if (bytes[place] >= 0x80) return place;
  let lead = place - 1;
  while (lead >= 0 && place - lead < MAX_REST && (bytes[lead] & 0xc0) === 0x80) lead--;
  const first = bytes[lead] ?? 0;
  const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return place - lead < length ? lead : undefined;
}
