/**
 * Reads BER as used in LDAP, SPNEGO and Kerberos (ITU-T X.690 with definite lengths and one-byte tags). The servers may be hostile: every
 * length is checked against the enclosing value, and nothing is copied.
 */

/** The bytes are not BER, or not the expected value. */
export class BerError extends Error {
  override readonly name = 'BerError';
}

/** Tags of universal types. */
export const BER_TAG = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octets: 4,
  oid: 6,
  enumerated: 0x0a,
  generalizedTime: 0x18,
  generalString: 0x1b,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Maximum bytes of an integer that a JavaScript number represents exactly. */
const MAX_INTEGER_BYTES = 6;

/** Reads the values inside a value, in order. */
export class BerReader {
  readonly bytes: Buffer;
  /** Start of the next value. */
  at: number;
  readonly end: number;

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get hasMore(): boolean {
    return this.at < this.end;
  }

  /** @returns the tag of the next value, or -1 at the end */
  peek(): number {
    return this.at < this.end ? this.bytes[this.at] : -1;
  }

  /**
   * Skips the next value. @returns a reader of its contents
   * @throws BerError if its tag is not `tag`, or it is cut off
   */
  enter(tag?: number): BerReader {
    if (this.at + 2 > this.end) throw new BerError('a value is cut off');
    const found = this.bytes[this.at];
    if (tag !== undefined && found !== tag)
      throw new BerError(`a value has the tag ${found.toString(16)} instead of ${tag.toString(16)}`);
    let length = this.bytes[this.at + 1];
    let start = this.at + 2;
    if (length >= 0x80) {
      const count = length & 0x7f;
      if (count === 0 || count > 4 || start + count > this.end)
        throw new BerError('a length is not definite, or is cut off');
      length = this.bytes.readUIntBE(start, count);
      start += count;
    }
    if (start + length > this.end) throw new BerError('a value is longer than the value around it');
    this.at = start + length;
    return new BerReader(this.bytes, start, start + length);
  }

  /** @returns a view of the contents of the next value */
  octets(tag: number = BER_TAG.octets): Buffer {
    const { at, end } = this.enter(tag);
    return this.bytes.subarray(at, end);
  }

  text(tag: number = BER_TAG.octets): string {
    const { at, end } = this.enter(tag);
    return this.bytes.toString('utf8', at, end);
  }

  integer(tag: number = BER_TAG.integer): number {
    const { at, end } = this.enter(tag);
    if (end === at || end - at > MAX_INTEGER_BYTES) throw new BerError('a number has too many bytes');
    return this.bytes.readIntBE(at, end - at);
  }

  /** Reads the rest of a structure with explicit context tags. @returns a reader of each field by tag number */
  fields(): ReadonlyMap<number, BerReader> {
    const fields = new Map<number, BerReader>();
    while (this.hasMore) {
      const number = this.peek() & 0x1f;
      fields.set(number, this.enter());
    }
    return fields;
  }
}

/** @throws BerError if the structure lacks the field */
export function fieldOf(fields: ReadonlyMap<number, BerReader>, number: number): BerReader {
  const field = fields.get(number);
  if (field === undefined) throw new BerError(`a structure lacks its field ${number}`);
  return field;
}
