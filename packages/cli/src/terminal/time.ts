/** Formats times for users. */
import { ZERO_TIME } from '@clew/api';

/** `2026-11-22 10:15` in the terminal's time zone; a dash for an event that has not happened. */
export function shownTime(time: string): string {
  if (time === ZERO_TIME) return '-';
  const at = new Date(time);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
