/** A column of texts: UTF-8 bytes in one buffer with offsets, over SharedArrayBuffers. */
export interface TextColumn {
  readonly bytes: Uint8Array;
  /** count + 1 entries; text n is at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
}

const encoder = new TextEncoder();
// `ignoreBOM` keeps a leading byte order mark as part of the text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const MAX_HEAP_BYTES = 0xffff_ffff;

/** Collects texts one by one, then builds a `TextColumn`. */
export class TextColumnBuilder {
  #heap = new Uint8Array(1 << 16);
  #used = 0;
  #offsets = new Uint32Array(1 << 12);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @throws RangeError if all texts together exceed 4 GiB of UTF-8 */
  append(text: string): void {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.#reserve(text.length * 3);
    this.#seal(encoder.encodeInto(text, this.#heap.subarray(this.#used)).written);
  }

  /** Appends a text that is already UTF-8; the bytes are copied. */
  appendBytes(utf8: Uint8Array): void {
    this.#reserve(utf8.length);
    this.#heap.set(utf8, this.#used);
    this.#seal(utf8.length);
  }

  /** @returns the order of the last two texts: negative if the second-to-last sorts first */
  compareLastTwo(): number {
    const column = { bytes: this.#heap, offsets: this.#offsets };
    return compareTexts(column, this.#count - 2, column, this.#count - 1);
  }

  /** @returns the column, trimmed to size. The builder cannot be used afterward. */
  build(): TextColumn {
    const bytes = new Uint8Array(new SharedArrayBuffer(this.#used));
    bytes.set(this.#heap.subarray(0, this.#used));
    this.#heap = new Uint8Array(0);
    const offsets = new Uint32Array(new SharedArrayBuffer((this.#count + 1) * 4));
    offsets.set(this.#offsets.subarray(0, this.#count + 1));
    return { bytes, offsets };
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes > this.#heap.length) {
      const grown = new Uint8Array(Math.max(this.#heap.length * 2, this.#used + bytes));
      grown.set(this.#heap.subarray(0, this.#used));
      this.#heap = grown;
    }
    if (this.#count + 1 >= this.#offsets.length) {
      const grown = new Uint32Array(this.#offsets.length * 2);
      grown.set(this.#offsets);
      this.#offsets = grown;
    }
  }

  #seal(bytes: number): void {
    this.#used += bytes;
    if (this.#used > MAX_HEAP_BYTES) throw new RangeError('the texts of one column exceed 4 GiB');
    this.#offsets[++this.#count] = this.#used;
  }
}

/** @returns number of texts. */
export function textCount(column: TextColumn): number {
  return column.offsets.length - 1;
}

/** @returns the UTF-8 bytes of text `index` as a view, not a copy */
export function textBytes(column: TextColumn, index: number): Uint8Array {
  return column.bytes.subarray(column.offsets[index], column.offsets[index + 1]);
}

/** @returns text `index`; the empty text has length 0. */
export function decodeText(column: TextColumn, index: number): string {
  return decoder.decode(textBytes(column, index));
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** @returns the byte order of text `index` and `utf8`: negative, 0 or positive */
export function compareTextTo(column: TextColumn, index: number, utf8: Uint8Array): number {
  return compareBytes(column.bytes, column.offsets[index], column.offsets[index + 1], utf8, 0, utf8.length);
}

/** @returns the byte order of two texts: negative, 0 or positive */
export function compareTexts(a: TextColumn, indexA: number, b: TextColumn, indexB: number): number {
  return compareBytes(
    a.bytes,
    a.offsets[indexA],
    a.offsets[indexA + 1],
    b.bytes,
    b.offsets[indexB],
    b.offsets[indexB + 1],
  );
}

/** @returns whether text `index` begins with `utf8`. */
export function textStartsWith(column: TextColumn, index: number, utf8: Uint8Array): boolean {
  const start = column.offsets[index];
  if (column.offsets[index + 1] - start < utf8.length) return false;
  for (let at = 0; at < utf8.length; at++) {
    if (column.bytes[start + at] !== utf8[at]) return false;
  }
  return true;
}

/** @returns whether text `index` ends with `utf8`. */
export function textEndsWith(column: TextColumn, index: number, utf8: Uint8Array): boolean {
  const start = column.offsets[index + 1] - utf8.length;
  if (start < column.offsets[index]) return false;
  for (let at = 0; at < utf8.length; at++) {
    if (column.bytes[start + at] !== utf8[at]) return false;
  }
  return true;
}

/**
 * Finds the first text that is not less than `utf8`, in a column sorted by bytes.
 * @returns 0 .. count; count if all texts are less
 */
export function lowerBound(column: TextColumn, utf8: Uint8Array): number {
  let low = 0;
  let high = textCount(column);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTextTo(column, middle, utf8) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareBytes(
  a: Uint8Array,
  startA: number,
  endA: number,
  b: Uint8Array,
  startB: number,
  endB: number,
): number {
  const lengthA = endA - startA;
  const lengthB = endB - startB;
  const shared = lengthA < lengthB ? lengthA : lengthB;
  for (let at = 0; at < shared; at++) {
    const difference = a[startA + at] - b[startB + at];
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}
