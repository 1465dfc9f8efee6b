/** Time zones: offsets from UTC with seconds, and named zones of the platform. */
import { Temporal } from 'temporal-polyfill';
import { NANOSECONDS, SECONDS_PER_DAY } from './calendar.ts';

/** The moment that a local time represents. */
export interface ZonedSeconds {
  /** Seconds of the local time, counted as if it were UTC, since the epoch. */
  readonly local: number;
  /** Seconds east of UTC. */
  readonly offset: number;
}

export interface Zone {
  /** Absent for a fixed offset. */
  readonly name?: string;
  /** @param epochSeconds moment in seconds since the epoch */
  offsetAt(epochSeconds: number): number;
  /** A local time that a clock change skips is moved after the gap; if it occurs twice, the first is used. */
  atLocal(local: number): ZonedSeconds;
}

const MAX_OFFSET = 18 * 3600;
/** `Temporal` has no dates beyond this moment, so later moments use the rules in force at it. */
const MAX_DATE_SECONDS = 8.64e12;

export const UTC: Zone = offsetZone(0);

export function offsetZone(offset: number): Zone {
  return { offsetAt: () => offset, atLocal: (local) => ({ local, offset }) };
}

/** @returns the offset in seconds of `Z`, `+01`, `+0130`, `+01:30`, `+01:30:15`; `undefined` for any other text */
export function parseOffset(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0;
  const match = /^([+-])(\d\d)(?::?([0-5]\d)(?::?([0-5]\d))?)?$/.exec(text);
  if (match === null) return undefined;
  const size = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
  if (size > MAX_OFFSET) return undefined;
  return match[1] === '-' && size > 0 ? -size : size;
}

export function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const size = Math.abs(offset);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const seconds = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `${offset < 0 ? '-' : '+'}${two(size / 3600)}:${two((size % 3600) / 60)}${seconds}`;
}

/** Keyed by the name in lower case; bounded, because the platform has a fixed set of zones. */
const namedZones = new Map<string, NamedZone>();

/** @returns `undefined` for a text that is neither an offset nor a zone name */
export function parseZone(text: string): Zone | undefined {
  const offset = parseOffset(text);
  if (offset !== undefined) return offsetZone(offset);
  const key = text.toLowerCase();
  const known = namedZones.get(key);
  if (known !== undefined) return known;
  if (!/^[a-z][\w+/-]{0,63}$/i.test(text)) return undefined;
  try {
    const zone = new NamedZone(text);
    namedZones.set(key, zone);
    return zone;
  } catch {
    return undefined;
  }
}

/** `Temporal` provides the clock changes, including offsets with seconds. */
class NamedZone implements Zone {
  readonly name: string;

  /** @throws RangeError for an unknown zone */
  constructor(name: string) {
    this.name = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  }

  offsetAt(epochSeconds: number): number {
    const seconds = Math.max(-MAX_DATE_SECONDS, Math.min(MAX_DATE_SECONDS, epochSeconds));
    const moment = Temporal.Instant.fromEpochMilliseconds(Math.floor(seconds * 1000));
    return moment.toZonedDateTimeISO(this.name).offsetNanoseconds / NANOSECONDS;
  }

  atLocal(local: number): ZonedSeconds {
    const before = this.offsetAt(local - SECONDS_PER_DAY);
    const after = this.offsetAt(local + SECONDS_PER_DAY);
    for (const offset of [before, after])
      if (this.offsetAt(local - offset) === offset) return { local, offset };
    return { local: local - before + after, offset: after };
  }
}
