/** JSON as PostgreSQL stores it: its `jsonb` knows neither NUL characters nor halves of surrogate pairs. */
import type { Properties, PropertyValue } from '@clew/model';

/** As `JSON.stringify` writes the two; an escaped backslash before a `u` looks alike and is sorted out below. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/;

export interface StorableJson {
  readonly json: string;
  /** Characters were removed or replaced. */
  readonly repaired: boolean;
}

/** NUL characters are removed, halves of surrogate pairs become U+FFFD. */
export function storableJson(properties: Properties): StorableJson {
  const json = JSON.stringify(properties);
  if (!SUSPICIOUS.test(json)) return { json, repaired: false };
  const cleaned = JSON.stringify(clean(properties));
  return { json: cleaned, repaired: cleaned !== json };
}

export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function clean(value: PropertyValue): PropertyValue {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), clean(inner)]));
  }
  return value;
}
