/** Writes PackStream. */
import { PackFloat, type PackMap, type PackValue, Structure } from './structure.ts';

const FIRST_BYTES = 256;

export class PackWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  /** @returns the written bytes, until the next value is written */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  value(value: PackValue): void {
    switch (typeof value) {
      case 'boolean':
        return this.#byte(value ? 0xc3 : 0xc2);
      case 'string':
        return this.#text(value);
      case 'bigint':
        return this.#wide(value);
      case 'number':
        return Number.isSafeInteger(value) ? this.#integer(value) : this.#float(value);
    }
    if (value === null) return this.#byte(0xc0);
    if (value instanceof PackFloat) return this.#float(value.value);
    if (value instanceof Structure) return this.structure(value.tag, value.fields);
    if (value instanceof Uint8Array) return this.#raw(value);
    if (Array.isArray(value)) return this.#list(value);
    return this.#map(value as PackMap);
  }

  structure(tag: number, fields: readonly PackValue[]): void {
    this.#byte(0xb0 | fields.length);
    this.#byte(tag);
    for (const field of fields) this.value(field);
  }

  #room(bytes: number): number {
    const at = this.#length;
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

  #integer(value: number): void {
    if (value >= -0x10 && value < 0x80) return this.#byte(value & 0xff);
    const bytes = value >= -0x80 && value < 0x80 ? 1 : value >= -0x8000 && value < 0x8000 ? 2 : 4;
    if (value < -0x8000_0000 || value > 0x7fff_ffff) return this.#wide(BigInt(value));
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

  /** @param tiny marker that has a size below 16 @param sized first of the markers that sizes follow */
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
