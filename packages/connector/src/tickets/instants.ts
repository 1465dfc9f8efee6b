/** Times reported by a tracker or the service, which become cursors and times of marks. */

/** RFC 3339, section 5.6. */
const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** Allowed clock difference: a cursor in the future would hide all changes until then. */
const AHEAD_MS = 24 * 3_600_000;

/** @param now milliseconds since the epoch @returns `undefined` for another format, and for a time more than a day in the future */
export function instantOf(text: string | null | undefined, now: number): string | undefined {
  if (!text || !FORM.test(text)) return undefined;
  return Date.parse(text) <= now + AHEAD_MS ? text : undefined;
}

/** Returns the later of two times; an empty one is the earliest. */
export const laterOf = (one: string, other: string): string =>
  Date.parse(other) <= Date.parse(one) ? one : other || one;
