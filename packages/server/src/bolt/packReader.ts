/**
 * Reads PackStream from hostile bytes. A list or map cannot have more items than remaining bytes, because each item has at least
 * one byte, so the size of the message bounds memory.
 */
import { PackFloat, type PackValue, Structure } from './structure.ts';

/** Maximum nesting of lists, maps and structures. */
const MAX_DEPTH = 64;
/** Maximum number of values in a message, as in a JSON body. */
const MAX_VALUES = 50_000;

/** The error for bytes that are not a message of the protocol. */
export class PackError extends Error {
  override readonly name = 'PackError';
}

/** @throws PackError for bytes that are not exactly one value */
export function unpack(bytes: Buffer): PackValue {
  const reader = new PackReader(bytes);
  const value = reader.value(0);
  if (reader.left > 0) throw new PackError('a message has bytes after its end');
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

class PackReader {
  readonly #bytes: Buffer;
  #at = 0;
  #values = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  value(depth: number): PackValue {
    if (depth > MAX_DEPTH) throw new PackError(`values are nested more than ${MAX_DEPTH} deep`);
    if (++this.#values > MAX_VALUES) throw new PackError(`a message has more than ${MAX_VALUES} values`);
    const marker = this.#unsigned(1);
    if (marker < 0x80) return marker;
    if (marker >= 0xf0) return marker - 0x100;
    const size = marker & 0x0f;
    switch (marker >>> 4) {
      case 0x8:
        return this.#text(size);
      case 0x9:
        return this.#list(size, depth);
      case 0xa:
        return this.#map(size, depth);
      case 0xb:
        return this.#structure(size, depth);
      default:
        return this.#marked(marker, depth);
    }
  }

  #marked(marker: number, depth: number): PackValue {
    switch (marker) {
      case 0xc0:
        return null;
      case 0xc1:
        return new PackFloat(this.#bytes.readDoubleBE(this.#skip(8)));
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc8:
        return this.#bytes.readInt8(this.#skip(1));
      case 0xc9:
        return this.#bytes.readInt16BE(this.#skip(2));
      case 0xca:
        return this.#bytes.readInt32BE(this.#skip(4));
      case 0xcb:
        return integer(this.#bytes.readBigInt64BE(this.#skip(8)));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#slice(this.#unsigned(1 << (marker - 0xcc)));
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return this.#text(this.#unsigned(1 << (marker - 0xd0)));
      case 0xd4:
      case 0xd5:
      case 0xd6:
        return this.#list(this.#unsigned(1 << (marker - 0xd4)), depth);
      case 0xd8:
      case 0xd9:
      case 0xda:
        return this.#map(this.#unsigned(1 << (marker - 0xd8)), depth);
      default:
        throw new PackError(`no value begins with the byte ${marker}`);
    }
  }

  /** @returns the position before the bytes @throws PackError if the message ends before them */
  #skip(bytes: number): number {
    if (bytes > this.left) throw new PackError('a message ends within a value');
    const at = this.#at;
    this.#at += bytes;
    return at;
  }

  #unsigned(bytes: number): number {
    return this.#bytes.readUIntBE(this.#skip(bytes), bytes);
  }

  #slice(bytes: number): Buffer {
    const at = this.#skip(bytes);
    return this.#bytes.subarray(at, at + bytes);
  }

  #text(bytes: number): string {
    try {
      return utf8.decode(this.#slice(bytes));
    } catch (error) {
      if (error instanceof PackError) throw error;
      throw new PackError('a text is not UTF-8');
    }
  }

  #list(size: number, depth: number): readonly PackValue[] {
    if (size > this.left) throw new PackError('a list is longer than its message');
    const items: PackValue[] = [];
    for (let item = 0; item < size; item++) items.push(this.value(depth + 1));
    return items;
  }

  #map(size: number, depth: number): PackValue {
    if (size * 2 > this.left) throw new PackError('a map is longer than its message');
    const entries: [string, PackValue][] = [];
    for (let entry = 0; entry < size; entry++) {
      const key = this.value(MAX_DEPTH);
      if (typeof key !== 'string') throw new PackError('a key of a map is not a text');
      entries.push([key, this.value(depth + 1)]);
    }
    // Unlike an assignment, this treats keys such as `__proto__` as ordinary keys.
    return Object.fromEntries(entries);
  }

  #structure(size: number, depth: number): Structure {
    const tag = this.#unsigned(1);
    return new Structure(tag, this.#list(size, depth));
  }
}

/** @returns a number if it is exact */
function integer(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
