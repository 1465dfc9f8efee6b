/** Parses a captured JSON value. Faults are returned, not thrown. */
import { isAscii, isUtf8 } from 'node:buffer';
import { parseJson } from '@clew/model';

export type Json = string | number | bigint | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export type ParsedValue =
  | {
      readonly value: Json;
      /** Whether characters that cannot be stored were replaced by U+FFFD. */
      readonly mended: boolean;
    }
  | {
      readonly fault: string;
      /** Byte offset of the fault in the value; 0 if unknown. */
      readonly at: number;
    };

/** Parses the bytes of a value. Faults never quote the text, which may contain secrets. */
export function parseValue(bytes: Uint8Array): ParsedValue {
  const text = decode(bytes);
  return text === undefined
    ? { fault: 'the text is not valid UTF-8', at: firstInvalidUtf8(bytes) }
    : parseText(text);
}

/**
 * Parses bytes that may not be one complete value.
 * @returns undefined unless they are a well-formed value nested no deeper than `maxDepth`
 */
export function parseGuess(bytes: Uint8Array, maxDepth: number): ParsedValue | undefined {
  const text = decode(bytes);
  if (text === undefined) return undefined;
  // The number of opening brackets bounds the depth; if it exceeds the limit, the slow check decides.
  if (countUpTo(text, '{', maxDepth) + countUpTo(text, '[', maxDepth) > maxDepth) return undefined;
  const parsed = parseText(text);
  return 'fault' in parsed ? undefined : parsed;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns `undefined` for bytes that are not UTF-8 */
function decode(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString('latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : undefined;
}

function parseText(text: string): ParsedValue {
  let value: Json;
  try {
    value = parseJson(text) as Json;
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1] ?? '0';
    return {
      fault: 'it is not valid JSON',
      at: Buffer.byteLength(text.slice(0, Number(position)), 'utf8'),
    };
  }
  // Only an escape can produce a NUL character or an unpaired surrogate, which PostgreSQL cannot store.
  if (!text.includes('\\u')) return { value, mended: false };
  const mend = { count: 0 };
  value = mendValue(value, mend);
  return { value, mended: mend.count > 0 };
}

function mendValue(value: Json, mend: { count: number }): Json {
  if (typeof value === 'string') return mendText(value, mend);
  if (Array.isArray(value)) return value.map((item) => mendValue(item, mend));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [mendText(key, mend), mendValue(item, mend)]),
  );
}

function mendText(text: string, mend: { count: number }): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  mend.count++;
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

function countUpTo(text: string, character: string, limit: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0 && count <= limit; at = text.indexOf(character, at + 1))
    count++;
  return count;
}

/** Offset of the first byte that starts no valid UTF-8 sequence. */
function firstInvalidUtf8(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length > 1 && !isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return bytes.length;
}
