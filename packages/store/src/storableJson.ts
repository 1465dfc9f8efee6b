/**
 * Converts external text to a form that PostgreSQL can store: no text accepts NUL characters, and no `jsonb` unpaired surrogates. They are
 * replaced by U+FFFD, which shows that a character was removed.
 */

/** Matches both as `JSON.stringify` writes them; an escaped backslash before a `u` also matches and is excluded below. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/;

export interface StorableJson {
  readonly json: string;
  /** Whether characters were replaced. */
  readonly repaired: boolean;
}

/** @param value anything that JSON can represent */
export function storableJson(value: unknown): StorableJson {
  const json = JSON.stringify(value);
  if (!SUSPICIOUS.test(json)) return { json, repaired: false };
  const cleaned = JSON.stringify(clean(value));
  return { json: cleaned, repaired: cleaned !== json };
}

export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), clean(inner)]));
  }
  return value;
}
