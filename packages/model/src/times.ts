/** Times as users and models write them: a relative age or a date. */

const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24 };

/** Messages about invalid times list these forms. */
export const TIME_FORMS = '7d, 12h, 2w, 2026-01-31 or 2026-01-31T12:00:00Z';

/**
 * @param text `7d`, `12h`, `2w` before `now`, or a date with or without a time of day
 * @returns RFC 3339 in UTC, with the given precision; `undefined` for other texts
 */
export function readTime(text: string, now: Date): string | undefined {
  const wanted = text.trim();
  const [, count, unit] = /^(\d{1,5})([hdw])$/i.exec(wanted) ?? [];
  if (count !== undefined && unit !== undefined)
    return new Date(
      now.getTime() - Number(count) * (HOURS[unit.toLowerCase()] as number) * 3_600_000,
    ).toISOString();
  const time = /^\d{4}-\d\d-\d\d/.test(wanted) ? Date.parse(wanted) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  // Times of the service are more precise than a Date.
  return wanted.endsWith('Z') ? wanted : new Date(time).toISOString();
}
