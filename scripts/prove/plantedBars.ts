/** The requirements for plans over all organizations together, and the figures with which exposure is compared. */
import { readFileSync } from 'node:fs';
import type { PlannedExposure, PlantedResult } from './provePlanted.ts';

/** Minimum share of the changes on cards that undo a planted flaw. */
const MIN_RIGHT = 0.98;
/** Maximum exposure after the first card and at the end, as multiples of the stored figures. */
const MAX_AFTER_FIRST = 1.25;
const MAX_AT_END = 1.15;

export interface PlantedBaseline {
  readonly commit: string;
  readonly command: string;
  readonly organizations: Readonly<Record<string, PlannedExposure>>;
}

/** @returns the exposures of plans with one price for each kind of change */
export const storedBaseline = (): PlantedBaseline =>
  JSON.parse(readFileSync(new URL('plantedBaseline.json', import.meta.url), 'utf8'));

/**
 * @param baseline figures of organizations; those without figures only have to meet the other requirements
 * @returns sentences; none if every requirement is met
 */
export function plantedFaults(results: readonly PlantedResult[], baseline?: PlantedBaseline): string[] {
  const faults: string[] = [];
  const changes = results.flatMap((result) => result.changes);
  const right = changes.filter(({ mark }) => mark === 'a').length;
  if (changes.length === 0) faults.push('no plan has a change');
  else if (right < MIN_RIGHT * changes.length)
    faults.push(
      `${right} of ${changes.length} changes undo what was planted, ${MIN_RIGHT * 100} % are needed`,
    );
  for (const { name, isFirstWrong } of results)
    if (isFirstWrong) faults.push(`${name}: the first card breaks something, where another change helps`);
  const stored = results.flatMap((result) => {
    const exposure = baseline?.organizations[result.name];
    return exposure === undefined ? [] : [{ result, exposure }];
  });
  const bars = [
    ['after the first card', 'afterFirst', MAX_AFTER_FIRST],
    ['at the end', 'atEnd', MAX_AT_END],
  ] as const;
  for (const [where, key, most] of bars) {
    const now = stored.reduce((sum, { result }) => sum + result[key], 0);
    const then = stored.reduce((sum, { exposure }) => sum + exposure[key], 0);
    if (now > most * then)
      faults.push(`${now} are exposed ${where}, at most ${most} times the stored ${then} are allowed`);
  }
  return faults;
}
