/**
 * Captures one JSON value from chunks: follows strings and nesting to its end and keeps its bytes. If a limit is exceeded, it discards
 * them, but still finds the end.
 *
 * This is the hot loop of every reader. For figures on ACL-rich objects of 4.5 kB, see `bench/reader.bench.ts`.
 */

/** Why a value was not kept. */
export type OmittedReason = 'depth' | 'size' | 'string' | 'values';

export const OMITTED = [undefined, 'depth', 'size', 'string'] as const;

const TOO_DEEP = 1;
const TOO_LARGE = 2;
const STRING_TOO_LONG = 3;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Nested brackets, a string, or a bare word (number, true, false, null). */
const Shape = { Nested: 0, Text: 1, Word: 2 } as const;

/** Bytes that end a bare word: white space and the structural characters of JSON. */
const ENDS_WORD = new Uint8Array(256);
for (const byte of Buffer.from(' \t\r\n,:"[]{}')) ENDS_WORD[byte] = 1;

interface CaptureLimits {
  readonly maxDepth: number;
  readonly maxObjectBytes: number;
  readonly maxStringBytes: number;
}

export class ValueCapture {
  readonly #limits: CaptureLimits;
  /** Opening brackets around the current byte; brackets beyond the limit are only counted. */
  readonly #brackets: Uint8Array;
  #depth = 0;
  #shape: number = Shape.Nested;
  #inString = false;
  /** Whether the chunk ended right after a backslash. */
  #escaped = false;
  #stringOffset = 0;
  #exceeded = 0;
  #pieces: Uint8Array[] = [];
  #kept = 0;

  /** Offset of the value's first byte in the document. */
  offset = 0;
  complete = false;
  /** Index in the chunk of a mismatched closing bracket; -1 if all match. */
  mismatchAt = -1;

  constructor(limits: CaptureLimits) {
    this.#limits = limits;
    this.#brackets = new Uint8Array(limits.maxDepth);
  }

  begin(first: number, offset: number): void {
    this.offset = offset;
    this.complete = false;
    this.#depth = 0;
    this.#escaped = false;
    this.#inString = false;
    this.#exceeded = 0;
    this.#shape = first === QUOTE ? Shape.Text : (first | 0x20) === 0x7b ? Shape.Nested : Shape.Word;
  }

  /**
   * Continues at `start` in the chunk with offset `base`.
   * @returns index of the first byte after the value; the chunk's length if the value continues beyond it
   */
  scan(chunk: Buffer, start: number, base: number): number {
    const end =
      this.#shape === Shape.Word ? this.#scanWord(chunk, start) : this.#scanNested(chunk, start, base);
    this.#keep(chunk, start, end);
    return end;
  }

  /** @returns the bytes of the complete value, or the number in `OMITTED` of the exceeded limit */
  take(): Uint8Array | number {
    const pieces = this.#pieces;
    const exceeded = this.#exceeded;
    this.drop();
    if (exceeded !== 0) return exceeded;
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }

  drop(): void {
    this.#pieces = [];
    this.#kept = 0;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    if (this.#exceeded === 0 && this.#kept + end - start > this.#limits.maxObjectBytes) {
      this.#exceeded = TOO_LARGE;
    }
    if (this.#exceeded !== 0) {
      if (this.#kept > 0) this.drop();
      return;
    }
    this.#kept += end - start;
    // A piece of an incomplete value is copied, because the chunk may be reused.
    const piece = chunk.subarray(start, end);
    this.#pieces.push(this.complete ? piece : Buffer.from(piece));
  }

  #scanWord(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      if (ENDS_WORD[chunk[at] as number] === 1) {
        this.complete = true;
        return at;
      }
    }
    return chunk.length;
  }

  #scanNested(chunk: Buffer, start: number, base: number): number {
    const { maxDepth, maxStringBytes } = this.#limits;
    const brackets = this.#brackets;
    const length = chunk.length;
    let depth = this.#depth;
    let inString = this.#inString;
    let stringStart = this.#stringOffset - base;
    let at = start;
    if (this.#escaped && at < length) {
      this.#escaped = false;
      at++;
    }
    while (at < length) {
      if (inString) {
        let byte = 0;
        while (at < length) {
          byte = chunk[at++] as number;
          if (byte === QUOTE || byte === BACKSLASH) break;
        }
        if (byte === QUOTE) {
          inString = false;
          if (at - stringStart - 2 > maxStringBytes && this.#exceeded === 0) this.#exceeded = STRING_TOO_LONG;
          if (depth === 0) {
            this.complete = true;
            break;
          }
        } else if (byte === BACKSLASH) {
          if (at === length) this.#escaped = true;
          else at++;
        }
        continue;
      }
      const byte = chunk[at++] as number;
      if (byte === QUOTE) {
        inString = true;
        stringStart = at - 1;
        continue;
      }
      // `{` is `[` plus bit 0x20, and `}` is `]` plus that bit.
      const bracket = byte | 0x20;
      if (bracket === 0x7b) {
        if (depth < maxDepth) brackets[depth] = byte;
        else if (this.#exceeded === 0) this.#exceeded = TOO_DEEP;
        depth++;
      } else if (bracket === 0x7d) {
        depth--;
        // In ASCII, a closing bracket is the opening one plus two.
        if (depth < maxDepth && brackets[depth] !== byte - 2) {
          this.mismatchAt = at - 1;
          break;
        }
        if (depth === 0) {
          this.complete = true;
          break;
        }
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#stringOffset = stringStart + base;
    return at;
  }
}
