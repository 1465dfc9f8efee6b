/** Property values, as in JSON. */

export type JsonValue =
  | string
  | number
  /** Integers beyond 2^53. */
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
