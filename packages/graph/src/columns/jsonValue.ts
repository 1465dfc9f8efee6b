/** Values of properties, as JSON has them. */

export type JsonValue =
  | string
  | number
  /** A whole number beyond 2^53. */
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
