/** The five types of dates and times, which differ in whether they have a day, a time and a zone. */
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

/** A part that a type does not have is 0; a missing zone is UTC. */
export interface InstantValue {
  /** Days since the epoch, on the calendar of the zone. */
  readonly day?: number;
  /** Seconds of the day, on the clock of the zone: 0 to 86,399. */
  readonly second?: number;
  /** 0 to 999,999,999. */
  readonly nanosecond?: number;
  readonly zone?: Zone;
  /** Seconds east of UTC; resolves local times that occur twice. */
  readonly offset?: number;
}
