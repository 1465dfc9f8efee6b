/**
 * Guesses where an element of a long array ends without reading its bytes. Collectors write all objects of a file with the same first
 * member, so `},{"Properties":` (with any white space) marks the end of most objects, and a native search finds it ten times faster than a
 * loop over bytes. A guess proves nothing: the caller parses the bytes and accepts only a complete JSON value; otherwise the end is found
 * byte by byte.
 *
 * Each byte of a chunk is searched once: the position of the next mark, or its absence, is remembered. A mark is wrong at most `PATIENCE`
 * times in a row, so guessing costs a constant factor for any input.
 *
 * Measured (29 access entries, 4.6 kB per object): search 1 µs, loop 11 µs, `JSON.parse` 28 µs per object.
 */

/** Maximum white space and comma between two elements, and maximum start of an element in the mark. */
const MAX_SEPARATOR = 32;
const MAX_BEGINNING = 64;
/** Guessing stops after this many wrong guesses in a row. */
const PATIENCE = 8;

const COLON = 0x3a;
const CLOSE_BRACE = 0x7d;

export class ElementGuess {
  #mark: Uint8Array | undefined;
  #balance = PATIENCE;
  /** Index of the next mark in the chunk, at or after every requested element; Infinity without one. */
  #next = -1;

  /** Resets the state for another array. */
  reset(): void {
    this.#mark = undefined;
    this.#balance = PATIENCE;
    this.#next = -1;
  }

  /** Starts another chunk. */
  beginChunk(): void {
    this.#next = -1;
  }

  /**
   * @param previousEnd index after the previous element, negative if it is in an earlier chunk
   * @returns index after the element that begins at `start`, or -1 for no guess
   */
  end(chunk: Buffer, start: number, previousEnd: number): number {
    if (this.#balance <= 0) return -1;
    this.#mark ??= learnMark(chunk, start, previousEnd);
    if (this.#mark === undefined) return -1;
    if (this.#next < start) {
      const found = chunk.indexOf(this.#mark, start);
      this.#next = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#next === Number.POSITIVE_INFINITY ? -1 : this.#next + 1;
  }

  /** Records whether the last guess was right, even if it was not used. */
  confirm(right: boolean): void {
    this.#balance = right ? PATIENCE : this.#balance - 1;
  }
}

function learnMark(chunk: Buffer, start: number, previousEnd: number): Uint8Array | undefined {
  if (previousEnd < 1 || start - previousEnd > MAX_SEPARATOR || chunk[previousEnd - 1] !== CLOSE_BRACE) {
    return undefined;
  }
  const colon = chunk.indexOf(COLON, start);
  if (colon < 0 || colon - start > MAX_BEGINNING) return undefined;
  return Buffer.from(chunk.subarray(previousEnd - 1, colon + 1));
}
