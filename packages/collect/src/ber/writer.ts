/** Writes BER with definite lengths in their shortest form (ITU-T X.690), as required by LDAP, SPNEGO and Kerberos. */
import { BER_TAG } from './reader.ts';

/** A value with any tag, and its contents in order. Texts are UTF-8. */
export function berValue(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const contents = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)),
  );
  return Buffer.concat([Buffer.from([tag]), encodedLength(contents.length), contents]);
}

export const berSequence = (...parts: readonly Buffer[]): Buffer => berValue(BER_TAG.sequence, ...parts);

export const berOctets = (value: Buffer | string): Buffer => berValue(BER_TAG.octets, value);

export const berBoolean = (value: boolean): Buffer =>
  berValue(BER_TAG.boolean, Buffer.from([value ? 0xff : 0]));

/** A value with an explicit context tag. */
export const berContext = (number: number, ...parts: readonly Buffer[]): Buffer =>
  berValue(0xa0 + number, ...parts);

/** @param value an integer of at most 53 bits, or a negative one of 32 bits */
export function berInteger(value: number, tag: number = BER_TAG.integer): Buffer {
  if (value < 0) {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return berValue(tag, bytes);
  }
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256))
    bytes.unshift(rest % 256);
  if (bytes[0] >= 0x80) bytes.unshift(0);
  return berValue(tag, Buffer.from(bytes));
}

export function berOid(text: string): Buffer {
  const [first, second, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const part = [number % 128];
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      part.unshift(0x80 | (left % 128));
    bytes.push(...part);
  }
  return berValue(BER_TAG.oid, Buffer.from(bytes));
}

function encodedLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
