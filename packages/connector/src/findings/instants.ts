/** Converts times of servers, with any number of digits, to texts that can be compared. */

const PATTERN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/** @returns `YYYY-MM-DDTHH:MM:SS.nnnnnnnnnZ`; empty for an invalid time */
export function instantOf(text: string): string {
  const [, seconds, fraction = '', zone] = PATTERN.exec(text) ?? [];
  if (seconds === undefined) return '';
  const time = Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(time)) return '';
  return `${new Date(time).toISOString().slice(0, 19)}.${fraction.slice(0, 9).padEnd(9, '0')}Z`;
}

/** @param instant the result of `instantOf` */
export function earlier(instant: string, milliseconds: number): string {
  const time = Date.parse(`${instant.slice(0, 23)}Z`) - milliseconds;
  return `${new Date(Math.max(time, 0)).toISOString().slice(0, 23)}Z`;
}

export const later = (a: string, b: string): string => (a > b ? a : b);
