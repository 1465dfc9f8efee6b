/** Schedules of collectors in words. */
import { counted, formatMoment, formatWallClock } from '../../text/formats.ts';

const UNITS: Readonly<Record<string, string>> = {
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
};

/** Rules with other parts, such as BYDAY, cannot be expressed in these words. */
const RULE =
  /^DTSTART(?:;TZID=([\w/+-]+))?:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)\s+RRULE:FREQ=([A-Z]+)(?:;INTERVAL=(\d+))?$/;

/** @returns `undefined` for a rule with more parts than a start, a unit and an interval */
export function scheduleWords(rule: string): string | undefined {
  const found = RULE.exec(rule.trim());
  if (found === null) return undefined;
  const [, zone, year, month, day, hour, minute, second, utc, unit, interval = '1'] = found;
  const noun = UNITS[unit!];
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  if (noun === undefined || Number.isNaN(Date.parse(`${time}Z`))) return undefined;
  const often = Number(interval) === 1 ? `Every ${noun}` : `Every ${counted(Number(interval), noun)}`;
  // A time in a named zone is shown in the time of that zone.
  const start = utc === 'Z' ? formatMoment(`${time}Z`) : formatWallClock(time);
  return `${often} from ${start}${zone === undefined ? '' : ` (${zone})`}`;
}
