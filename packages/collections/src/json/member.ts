/**
 * Access to members in collector files: names match case-insensitively (`GUID` for `Guid`), and `null` equals a missing member.
 *
 * Rule: `docs/reference/collections.md#text-and-values`.
 */
import type { Json, JsonObject } from './value.ts';

/** @returns the member's value; `undefined` if missing in every spelling. An exact match takes precedence. */
export function member(object: JsonObject, name: string): Json | undefined {
  const exact = object[name];
  if (exact !== undefined) return exact;
  for (const key in object) {
    // Comparing lengths first excludes almost all names at no cost.
    if (key.length === name.length && key.toLowerCase() === name.toLowerCase()) return object[key];
  }
  return undefined;
}
