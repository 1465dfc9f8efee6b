/** Parses dates and times in the ISO 8601 formats of openCypher, with or without hyphens and colons. */
import { dayOf, daysOfMonth, daysOfYear, firstWeek, weeksOfYear } from './calendar.ts';
import { type InstantType, type InstantValue, PARTS } from './instantTypes.ts';
import { parseZone } from './zones.ts';

const YEAR = String.raw`([+-]\d{1,9}(?=-|$|T)|\d{4})`;
const DAY = [
  [/^W(\d\d)-?(\d)?$/, ofWeek],
  [/^(\d\d\d)$/, ofOrdinal],
  [/^(?:(\d\d)(?:-?(\d\d))?)?$/, ofMonth],
] as const;
const DAY_TEXT = new RegExp(`^${YEAR}(?:-?(.+))?$`);
/** Dates without leading zeros, such as `2023-4-4`. */
const SHORT_DAY_TEXT = new RegExp(`^${YEAR}-(\\d\\d?)-(\\d\\d?)$`);
const TIME_TEXT = /^(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?$/;
const ZONE_TEXT = /^([^Zz+\-[]*)(Z|z|[+-][\d:]+)?(?:\[([^\]]{1,64})\])?$/;

/** @returns `undefined` if the text does not have this type */
export function parseInstant(type: InstantType, text: string): InstantValue | undefined {
  if (text.length > 200) return undefined;
  const has = PARTS[type];
  const [dayText, timeText] = has.day ? splitAtT(text) : [undefined, text.replace(/^T/i, '')];
  const day = dayText === undefined ? 0 : parseDay(dayText);
  const time = timeText === undefined ? {} : parseTime(timeText);
  if (day === undefined || time === undefined) return undefined;
  if (type !== 'date' && !has.zone && time.offset !== undefined) return undefined;
  return { day, ...time };
}

function splitAtT(text: string): readonly [string, string | undefined] {
  const at = text.search(/T/i);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function parseDay(text: string): number | undefined {
  const short = SHORT_DAY_TEXT.exec(text);
  if (short !== null) return ofMonth(Number(short[1]), short[2], short[3]);
  const match = DAY_TEXT.exec(text);
  if (match === null) return undefined;
  const [, year, rest = ''] = match;
  for (const [pattern, day] of DAY) {
    const parts = pattern.exec(rest);
    if (parts !== null) return day(Number(year), parts[1], parts[2]);
  }
  return undefined;
}

function ofWeek(year: number, week: string, weekday = '1'): number | undefined {
  const [number, day] = [Number(week), Number(weekday)];
  if (number < 1 || number > weeksOfYear(year) || day < 1 || day > 7) return undefined;
  return firstWeek(year) + (number - 1) * 7 + day - 1;
}

function ofOrdinal(year: number, ordinal: string): number | undefined {
  const number = Number(ordinal);
  return number < 1 || number > daysOfYear(year) ? undefined : dayOf(year, 1, number);
}

function ofMonth(year: number, monthText = '01', dayText = '01'): number | undefined {
  const [month, day] = [Number(monthText), Number(dayText)];
  if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined;
  return dayOf(year, month, day);
}

function parseTime(text: string): InstantValue | undefined {
  const zoned = ZONE_TEXT.exec(text);
  const match = zoned === null ? null : TIME_TEXT.exec(zoned[1]);
  if (zoned === null || match === null) return undefined;
  const [hour, minute, second] = match.slice(1, 4).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const time = {
    second: hour * 3600 + minute * 60 + second,
    nanosecond: Number((match[4] ?? '').padEnd(9, '0')),
  };
  const [, , offsetText, name] = zoned;
  const offset = offsetText === undefined ? undefined : parseZone(offsetText);
  const named = name === undefined ? undefined : parseZone(name);
  if ((offsetText !== undefined && offset === undefined) || (name !== undefined && named === undefined))
    return undefined;
  return { ...time, zone: named ?? offset, offset: offset?.offsetAt(0) };
}
