/** Times and durations in directories (MS-ADTS 3.1.1.3.1.1.2; FILETIME: MS-DTYP 2.3.3), in the format of collection files. */

const TICKS_PER_SECOND = 10_000_000n;
/** Seconds from 1601 to 1970. */
const EPOCH_SECONDS = 11_644_473_600n;
const NEVER = 0x7fffffffffffffffn;

/** @returns seconds since 1970; 0 for "never", -1 for a missing attribute */
export function secondsOfFileTime(value: string | undefined): number {
  if (value === undefined) return -1;
  const ticks = BigInt(/^-?\d{1,19}$/.test(value) ? value : '0');
  return ticks <= 0n || ticks === NEVER ? 0 : Number(ticks / TICKS_PER_SECOND - EPOCH_SECONDS);
}

/** @param value generalized time, `20260101000000.0Z` @returns seconds since 1970; -1 if it is not a time */
export function secondsOfTime(value: string | undefined): number {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/
    .exec(value ?? '')
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return -1;
  const [year, month, day, hour, minute, second] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
const VALIDITY_UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
] as const;

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/**
 * The validity period of certificates: a negative number of ticks in eight bytes (MS-CRTD 2.13). @returns `1 year`; '' if it is not a
 * duration
 */
export function validityPeriod(value: Buffer | undefined): string {
  if (value?.length !== 8) return '';
  const seconds = Number(value.readBigInt64LE() / -TICKS_PER_SECOND);
  for (const [unit, size] of VALIDITY_UNITS)
    if (seconds >= size && seconds % size === 0) return counted(seconds / size, unit);
  return '';
}

const DURATION_UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in a password policy: a negative number of ticks. @returns `42 days`, `Forever`, `0 seconds` */
export function policyDuration(value: string | undefined): string | undefined {
  if (value === undefined || !/^-?\d{1,19}$/.test(value)) return undefined;
  const ticks = BigInt(value);
  if (ticks === 0n) return '0 seconds';
  if (ticks <= -NEVER) return 'Forever';
  let left = Number(-ticks / TICKS_PER_SECOND);
  const parts: string[] = [];
  for (const [unit, size] of DURATION_UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(counted(count, unit));
  }
  return parts.join(', ');
}
