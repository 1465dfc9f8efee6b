/**
 * Rows in the binary format of COPY, written into one growing buffer. Binary arrays are read by the server about
 * twice as fast as text, and nothing has to be quoted.
 *
 * Format: PostgreSQL manual, COPY, "Binary Format"; arrays as `array_recv` reads them.
 */

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = -1;
const NULL_LENGTH = -1;
const JSONB_VERSION = 1;
const INT2_OID = 21;
const INT4_OID = 23;
const TEXT_OID = 25;

export class CopyRows {
  /** What `take` puts before the rows and after them, for pieces of one longer COPY. */
  static readonly headerBytes = SIGNATURE.length;
  static readonly trailerBytes = 2;

  #buffer: Buffer;
  #at = SIGNATURE.length;
  #rows = 0;

  constructor(capacity = 64 * 1024) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    SIGNATURE.copy(this.#buffer);
  }

  get rowCount(): number {
    return this.#rows;
  }

  get byteCount(): number {
    return this.#at;
  }

  /** @returns the rows as one COPY, and begins anew with an empty buffer. */
  take(): Buffer {
    this.#reserve(2);
    this.#buffer.writeInt16BE(TRAILER, this.#at);
    const taken = this.#buffer.subarray(0, this.#at + 2);
    // The buffer is on its way to the socket: the next rows get one of their own, of a size that proved right.
    this.#buffer = Buffer.allocUnsafe(this.#buffer.length);
    SIGNATURE.copy(this.#buffer);
    this.#at = SIGNATURE.length;
    this.#rows = 0;
    return taken;
  }

  row(fields: number): void {
    this.#rows++;
    this.#reserve(2);
    this.#at = this.#buffer.writeInt16BE(fields, this.#at);
  }

  null(): void {
    this.#length(NULL_LENGTH, 0);
  }

  bool(value: boolean): void {
    this.#length(1, 1);
    this.#buffer[this.#at++] = value ? 1 : 0;
  }

  int2(value: number): void {
    this.#length(2, 2);
    this.#at = this.#buffer.writeInt16BE(value, this.#at);
  }

  int4(value: number): void {
    this.#length(4, 4);
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  float8(value: number): void {
    this.#length(8, 8);
    this.#at = this.#buffer.writeDoubleBE(value, this.#at);
  }

  /** An int8 from its halves. */
  int8(high: number, low: number): void {
    this.#length(8, 8);
    this.#at = this.#buffer.writeInt32BE(high | 0, this.#at);
    this.#at = this.#buffer.writeInt32BE(low | 0, this.#at);
  }

  text(value: string): void {
    this.#string(value, 0);
  }

  /** @param json text of JSON */
  jsonb(json: string): void {
    this.#string(json, 1);
  }

  int2Array(values: ArrayLike<number>, count = values.length): void {
    this.#arrayHead(INT2_OID, count, 20 + count * 6);
    const buffer = this.#buffer;
    let at = this.#at;
    for (let index = 0; index < count; index++) {
      const value = values[index];
      buffer[at] = 0;
      buffer[at + 1] = 0;
      buffer[at + 2] = 0;
      buffer[at + 3] = 2;
      buffer[at + 4] = value >>> 8;
      buffer[at + 5] = value;
      at += 6;
    }
    this.#at = at;
  }

  int4Array(values: ArrayLike<number>, count = values.length): void {
    this.#arrayHead(INT4_OID, count, 20 + count * 8);
    const buffer = this.#buffer;
    let at = this.#at;
    for (let index = 0; index < count; index++) {
      const value = values[index];
      buffer[at] = 0;
      buffer[at + 1] = 0;
      buffer[at + 2] = 0;
      buffer[at + 3] = 4;
      buffer[at + 4] = value >>> 24;
      buffer[at + 5] = value >>> 16;
      buffer[at + 6] = value >>> 8;
      buffer[at + 7] = value;
      at += 8;
    }
    this.#at = at;
  }

  textArray(values: readonly string[]): void {
    const bytes = values.reduce((sum, value) => sum + 4 + Buffer.byteLength(value), 0);
    this.#arrayHead(TEXT_OID, values.length, 20 + bytes);
    for (const value of values) this.text(value);
  }

  /** Length of the field and header of a one-dimensional array without nulls. */
  #arrayHead(elementType: number, count: number, bytes: number): void {
    if (count === 0) {
      this.#length(12, 12);
      this.#buffer.fill(0, this.#at, this.#at + 8);
      this.#at = this.#buffer.writeInt32BE(elementType, this.#at + 8);
      return;
    }
    this.#length(bytes, bytes);
    for (const word of [1, 0, elementType, count, 1]) this.#at = this.#buffer.writeInt32BE(word, this.#at);
  }

  #string(value: string, prefix: 0 | 1): void {
    // A UTF-16 unit makes at most three bytes.
    this.#reserve(4 + prefix + value.length * 3);
    const start = this.#at + 4 + prefix;
    const bytes = this.#buffer.write(value, start, 'utf8');
    this.#buffer.writeInt32BE(prefix + bytes, this.#at);
    if (prefix === 1) this.#buffer[start - 1] = JSONB_VERSION;
    this.#at = start + bytes;
  }

  /** Writes a field's length and makes room for `bytes` more. */
  #length(length: number, bytes: number): void {
    this.#reserve(4 + bytes);
    this.#at = this.#buffer.writeInt32BE(length, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes));
    this.#buffer.copy(grown, 0, 0, this.#at);
    this.#buffer = grown;
  }
}
