/** Numbers and times as people read them. */

const numbers = new Intl.NumberFormat('en');
const compactNumbers = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

export const formatCount = (count: number): string => numbers.format(count);
export const formatCompact = (count: number): string => compactNumbers.format(count);

/** `1 object`, `2 objects`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : nouns}`;

/** @param share 0..1; less than a tenth of a percent still shows as more than nothing */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '<0.1 %';
  if (percent > 99.9 && percent < 100) return '>99.9 %';
  return `${percent.toFixed(percent < 10 && percent % 1 !== 0 ? 1 : 0)} %`;
}

/** Answers say "never" by the year 1. */
export const isTime = (time: string | undefined | null): time is string =>
  typeof time === 'string' && time !== '' && !time.startsWith('0001-');

export const formatDate = (time: string): string => (isTime(time) ? dates.format(new Date(time)) : 'never');
export const formatMoment = (time: string): string =>
  isTime(time) ? moments.format(new Date(time)) : 'never';

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

/** Values of properties that are times: seconds since the epoch, or texts of RFC 3339. */
export function propertyText(name: string, value: unknown): string | undefined {
  if (
    typeof value === 'number' &&
    /^(?:whencreated|lastlogon|lastlogontimestamp|pwdlastset|lastseen|lastcollected)$/i.test(name)
  ) {
    if (value <= 0) return value === -1 ? 'never' : 'not known';
    return formatMoment(new Date(value * 1000).toISOString());
  }
  return undefined;
}
