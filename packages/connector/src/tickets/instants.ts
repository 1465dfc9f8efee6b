/** Instants that a tracker gives: they become cursors and times of marks. */

/** RFC 3339, section 5.6. */
const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** Clocks differ; a cursor in the future would hide all that changes until then. */
const AHEAD_MS = 24 * 3_600_000;

/** @param now milliseconds since the epoch @returns `undefined` for another form, and for an instant more than a day later than now */
export function instantOf(text: string | null | undefined, now: number): string | undefined {
  if (!text || !FORM.test(text)) return undefined;
  return Date.parse(text) <= now + AHEAD_MS ? text : undefined;
}

/** The later one of two; an empty one is the earliest. */
export const laterOf = (one: string, other: string): string =>
  Date.parse(other) <= Date.parse(one) ? one : other || one;
