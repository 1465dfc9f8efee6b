/** Options and values that commands share. */
import { InvalidArgumentError, Option } from 'commander';

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new InvalidArgumentError(`Expected a number from ${min} to ${max}.`);
    }
    return number;
  };
}

/** @returns epoch seconds at the start of a day */
export function day(text: string): number {
  const seconds = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN;
  // Date.parse reads 31 February as a day in March.
  if (!(seconds >= 0) || !new Date(seconds * 1000).toISOString().startsWith(text))
    throw new InvalidArgumentError('Expected a date, such as 2026-06-01.');
  return seconds;
}

/** @returns the validated date unchanged */
export function dayText(text: string): string {
  day(text);
  return text;
}

/** @returns the month as it was written */
export function monthText(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError('Expected a month, such as 2026-06.');
  return text;
}

/** Collects the values of a repeatable option. */
export const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];

export const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export const urlOption = () => new Option('--url <address>', 'URL of the service (CLEW_URL)');
export const zoneOption = () => new Option('--zone <name>', 'show only this zone: name or number');
export const jsonOption = () => new Option('--json', 'print JSON');

export type Action = () => Promise<number | undefined> | Promise<void>;
/** Stores the command to run after the whole command line was parsed. */
export type Choose = (action: Action) => void;

/** `--json` means `--format json` if there are several formats. */
export const withJson = <Options extends { readonly json?: boolean }>(options: Options): Options =>
  options.json === true ? { ...options, format: 'json' } : options;
