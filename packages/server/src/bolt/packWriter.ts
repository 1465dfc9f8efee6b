/** Writes PackStream. */
import { TypedQueryError } from '@clew/common';
import { DeferredValue, PackFloat, type PackMap, type PackValue, Structure } from './structure.ts';

const FIRST_BYTES = 256;

/** Bytes of one message: a row with more is refused before it takes more memory. */
const MAX_WRITTEN_BYTES = 16 * 1024 * 1024;

export class PackWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  /** @returns the written bytes, valid until the next value is written */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @throws TypedQueryError if the message becomes too large */
  value(value: PackValue): void {
    if (value === null) this.#byte(0xc0);
    else if (typeof value === 'boolean') this.#byte(value ? 0xc3 : 0xc2);
    else if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'bigint') this.#wide(value);
    else if (typeof value === 'number') this.#number(value);
    else if (value instanceof PackFloat) this.#float(value.value);
    else if (value instanceof Structure) this.structure(value.tag, value.fields);
    else if (value instanceof DeferredValue) this.value(value.make());
    else if (value instanceof Uint8Array) this.#raw(value);
    else if (Array.isArray(value)) this.#list(value);
    else this.#map(value as PackMap);
  }

  structure(tag: number, fields: readonly PackValue[]): void {
    this.#byte(0xb0 | fields.length);
    this.#byte(tag);
    for (const field of fields) this.value(field);
  }

  #room(bytes: number): number {
    const at = this.#length;
    if (at + bytes > MAX_WRITTEN_BYTES)
      throw new TypedQueryError(
        'limit',
        `a row of the answer has more than ${MAX_WRITTEN_BYTES} bytes: return objects in rows instead of lists, or return fewer properties`,
      );
    this.#length += bytes;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }

  #byte(byte: number): void {
    const at = this.#room(1);
    this.#bytes[at] = byte;
  }

  #float(value: number): void {
    this.#byte(0xc1);
    const at = this.#room(8);
    this.#bytes.writeDoubleBE(value, at);
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value)) this.#float(value);
    else if (value >= -0x10 && value < 0x80) this.#byte(value & 0xff);
    else if (value < -0x8000_0000 || value > 0x7fff_ffff) this.#wide(BigInt(value));
    else
      this.#integer(value, value >= -0x80 && value < 0x80 ? 1 : value >= -0x8000 && value < 0x8000 ? 2 : 4);
  }

  #integer(value: number, bytes: 1 | 2 | 4): void {
    this.#byte(0xc8 + Math.log2(bytes));
    const at = this.#room(bytes);
    this.#bytes.writeIntBE(value, at, bytes);
  }

  #wide(value: bigint): void {
    this.#byte(0xcb);
    const at = this.#room(8);
    this.#bytes.writeBigInt64BE(value, at);
  }

  #text(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.#size(bytes, 0x80, 0xd0);
    const at = this.#room(bytes);
    this.#bytes.write(text, at, bytes, 'utf8');
  }

  #raw(bytes: Uint8Array): void {
    this.#sized(bytes.length, 0xcc);
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  #list(items: readonly PackValue[]): void {
    this.#size(items.length, 0x90, 0xd4);
    for (const item of items) this.value(item);
  }

  #map(map: PackMap): void {
    const entries = Object.entries(map);
    this.#size(entries.length, 0xa0, 0xd8);
    for (const [key, value] of entries) {
      this.#text(key);
      this.value(value);
    }
  }

  /** @param tiny marker that includes a size below 16 @param sized first of the markers that precede a size */
  #size(size: number, tiny: number, sized: number): void {
    if (size < 0x10) this.#byte(tiny | size);
    else this.#sized(size, sized);
  }

  #sized(size: number, marker: number): void {
    const bytes = size < 0x100 ? 1 : size < 0x1_0000 ? 2 : 4;
    this.#byte(marker + Math.log2(bytes));
    const at = this.#room(bytes);
    this.#bytes.writeUIntBE(size, at, bytes);
  }
}
