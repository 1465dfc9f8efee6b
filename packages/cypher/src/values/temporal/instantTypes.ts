/** The five types of dates and times differ by what they hold of a day, a time and a zone. */
import type { Zone } from './zones.ts';

export type InstantType = 'datetime' | 'localdatetime' | 'date' | 'time' | 'localtime';

interface Parts {
  readonly day: boolean;
  readonly time: boolean;
  readonly zone: boolean;
  readonly rank: number;
}

export const PARTS: Readonly<Record<InstantType, Parts>> = {
  datetime: { day: true, time: true, zone: true, rank: 0 },
  localdatetime: { day: true, time: true, zone: false, rank: 1 },
  date: { day: true, time: false, zone: false, rank: 2 },
  time: { day: false, time: true, zone: true, rank: 3 },
  localtime: { day: false, time: true, zone: false, rank: 4 },
};

/** What a type has no part for is 0, and UTC. */
export interface InstantValue {
  /** Since the epoch, on the calendar of the zone. */
  readonly day?: number;
  /** Of the day, on the clock of the zone: 0 to 86,399. */
  readonly second?: number;
  /** 0 to 999,999,999. */
  readonly nanosecond?: number;
  readonly zone?: Zone;
  /** Seconds east of UTC: where the clock shows a time twice, it tells which one is meant. */
  readonly offset?: number;
}
