/**
 * Access to members as collectors write them: names match without regard to case (`GUID` for `Guid`), and `null`
 * says the same as a missing member.
 *
 * Rule: `docs/reference/collections.md#text-and-values`.
 */
import type { Json, JsonObject } from './value.ts';

/** @returns the member's value; `undefined` when it is missing under every spelling. The exact name wins. */
export function member(object: JsonObject, name: string): Json | undefined {
  const exact = object[name];
  if (exact !== undefined) return exact;
  for (const key in object) {
    // Lengths differ for nearly all, and comparing them costs nothing.
    if (key.length === name.length && key.toLowerCase() === name.toLowerCase()) return object[key];
  }
  return undefined;
}
