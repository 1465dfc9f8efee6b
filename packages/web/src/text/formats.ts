/** Formats numbers and times for users. */

import { counted, principalsText } from '@clew/model';

const numbers = new Intl.NumberFormat('en');
const compactNumbers = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const wallClock = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

// A style of dates cannot be combined with the name of a time zone.
const PARTS = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;
const moments = new Intl.DateTimeFormat('en', PARTS);
const seconds = new Intl.DateTimeFormat('en', { ...PARTS, second: '2-digit' });

const days = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const hours = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Label of a time tick below a chart. */
export const formatTick = (moment: number, withHours: boolean): string =>
  (withHours ? hours : days).format(moment);

export const formatCount = (count: number): string => numbers.format(count);
export const formatCompact = (count: number): string => compactNumbers.format(count);

export { counted };

/** "12 of 40 users and computers". @param share their share of all; above 0 */
export const countOfAll = (count: number, share: number): string =>
  `${formatCount(count)} of ${principalsText(Math.round(count / share))}`;

/** In answers, the year 1 means "never". */
export const isTime = (time: string | undefined | null): time is string =>
  typeof time === 'string' && time !== '' && !time.startsWith('0001-');

export const formatDate = (time: string): string => (isTime(time) ? dates.format(new Date(time)) : 'never');
/** A calendar day, such as 2026-12-31: noon UTC is on this day in every time zone, unlike midnight UTC. */
export const formatDay = (day: string): string => formatDate(`${day}T12:00:00`);
/** With the time zone, because texts are sent to users elsewhere: `Nov 30, 2026, 10:19 PM EST`. */
export const formatMoment = (time: string): string =>
  isTime(time) ? moments.format(new Date(time)) : 'never';
/** For rows of logs: `Nov 30, 2026, 10:19:07 PM EST`. */
export const formatSecond = (time: string): string =>
  isTime(time) ? seconds.format(new Date(time)) : 'never';
/** A time without a zone: the zone is named elsewhere. @param time RFC 3339 without an offset */
export const formatWallClock = (time: string): string => wallClock.format(new Date(time));
/** `America/New_York`. */
export const timeZone = (): string => dates.resolvedOptions().timeZone;

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3600_000],
  ['minute', 60_000],
] as const;

/** `3 days ago`, `in 2 hours`, `just now`. */
export function formatAge(time: string, now = Date.now()): string {
  if (!isTime(time)) return 'never';
  const passed = now - Date.parse(time);
  for (const [unit, milliseconds] of UNITS) {
    const count = Math.floor(Math.abs(passed) / milliseconds);
    if (count > 0) return passed > 0 ? `${counted(count, unit)} ago` : `in ${counted(count, unit)}`;
  }
  return 'just now';
}

const SHORT_UNITS = [
  ['d', 86_400_000],
  ['h', 3600_000],
  ['min', 60_000],
] as const;

/** Age in short form for tables: `74 d`, `3 h`. */
export function formatAgeShort(time: string, now = Date.now()): string {
  if (!isTime(time)) return 'never';
  const passed = Math.abs(now - Date.parse(time));
  for (const [unit, milliseconds] of SHORT_UNITS) {
    const count = Math.floor(passed / milliseconds);
    if (count > 0) return `${formatCount(count)} ${unit}`;
  }
  return 'now';
}

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Maximum seconds since the epoch that form a valid date. */
const MAX_SECONDS = 8.64e12;

/** Formats property values that are times: seconds since the epoch, or RFC 3339 texts. */
export function propertyText(name: string, value: unknown): string | undefined {
  if (
    typeof value === 'number' &&
    value <= MAX_SECONDS &&
    /^(?:whencreated|lastlogon|lastlogontimestamp|pwdlastset|lastseen|lastcollected)$/i.test(name)
  ) {
    if (value <= 0) return value === -1 ? 'never' : 'not known';
    return formatMoment(new Date(value * 1000).toISOString());
  }
  return undefined;
}

/** A day in the address, `2026-11-25`; `undefined` for other texts. */
export const dayOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
