/** RFC 3339 times in one format that can be compared as text. */

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+\- ])(\d{2}):(\d{2}))$/;

const MINUTE_MS = 60_000;
/** Databases and clients do not support the year 0. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59Z');

/**
 * @param text with any offset and up to nine fraction digits; a blank counts as the `+` that a query decoder replaces
 * @returns the format of times in answers, `YYYY-MM-DDTHH:MM:SS.ffffffZ` (further digits are cut), or `undefined` for a text that is not a
 * time
 */
export function parseTime(text: string): string | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  // A day or hour that does not exist (30 February, 24:00) is parsed as a different one.
  if (local.toISOString().slice(0, 19).padStart(19, '0') !== text.slice(0, 19).toUpperCase())
    return undefined;
  const offset = offsetMinutes(match[8], Number(match[9] ?? 0), Number(match[10] ?? 0));
  if (offset === undefined) return undefined;
  const instant = local.getTime() - offset * MINUTE_MS;
  if (instant < FIRST_INSTANT || instant > LAST_INSTANT) return undefined;
  return `${new Date(instant).toISOString().slice(0, 19)}.${(match[7] ?? '').slice(0, 6).padEnd(6, '0')}Z`;
}

function offsetMinutes(sign: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours > 23 || minutes > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}
