/**
 * Guesses where an element of a long array ends without reading its bytes. Collectors write all objects of a file with the same first
 * member, so `},{"Properties":` (with any white space between) marks the end of most of them, and a native search finds it ten times faster
 * than a loop over bytes. A guess proves nothing: the caller parses the bytes, and only a whole JSON value is taken; otherwise the end is
 * found byte by byte.
 *
 * Each byte of a chunk is searched once: the position of the next mark, or its absence, is remembered. And a mark is wrong at most
 * `PATIENCE` times before it is right, so guessing costs a constant factor whatever the bytes are.
 *
 * Measured (29 access entries, 4.6 kB an object): search 1 µs, loop 11 µs, `JSON.parse` 28 µs an object.
 */

/** Longest white space and comma between two elements, and longest beginning of an element, looked for. */
const MAX_SEPARATOR = 32;
const MAX_BEGINNING = 64;
/** Wrong guesses beyond the right ones after which guessing stops: its work would be lost more often than not. */
const PATIENCE = 8;

const COLON = 0x3a;
const CLOSE_BRACE = 0x7d;

export class ElementGuess {
  #mark: Uint8Array | undefined;
  #balance = PATIENCE;
  /** Index of the next mark in the chunk, at or after every element that is asked for; Infinity without one. */
  #next = -1;

  /** Resets its state: another array begins. */
  reset(): void {
    this.#mark = undefined;
    this.#balance = PATIENCE;
    this.#next = -1;
  }

  /** Another chunk begins. */
  beginChunk(): void {
    this.#next = -1;
  }

  /**
   * @param previousEnd index after the previous element, negative if that is in an earlier chunk
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

  /** Records whether the last guess was right: wrong ones are remembered, whether or not they were tried. */
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
