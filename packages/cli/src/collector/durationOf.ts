/** Durations in options: `30s`, `5m`, `1h`, `7d`; `0` for never. */
import { CommandError, EXIT } from '../failure.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds @throws CommandError with the name of the option */
export function durationOf(option: string, text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === undefined && text !== '0')
    throw new CommandError(`--${option} must be a time such as 30s, 5m, 1h or 7d`, EXIT.usage);
  return unit === undefined ? 0 : Number(number) * UNITS[unit];
}
