/**
 * Selectors for users who may see some environments. A seed by the id of an object that the user may not see is a count; the texts of
 * queries can name any object, and clients name selectors after their objects.
 *
 * Rule: `docs/reference/api.md#environments`.
 */
import { withoutTexts } from '@clew/cypher';
import type { SelectorRow } from './selectors.ts';
import { SeedType } from './storedZones.ts';

/** The objects that a user sees, by their ids. */
export interface RuleSight {
  sees(objectId: string): boolean;
  /** @returns its name; nothing for an object that is not there */
  nameOf(objectId: string): string | undefined;
}

export type SeenSelector = SelectorRow & {
  /** Seeds by ids of objects that the user may not see. */
  readonly hidden_seeds?: number;
};

const HIDDEN_NAME = '** Hidden Selector **';
const FAILED = 'The query does not work';

/** @param sight absent for users who may see all */
export function seenSelector(row: SelectorRow, sight: RuleSight | undefined): SeenSelector {
  if (sight === undefined || row.is_default) return row;
  const hidden = row.seeds.filter(({ type, value }) => type === SeedType.objectId && !sight.sees(value));
  const shown = row.seeds
    .filter((seed) => !hidden.includes(seed))
    .map(({ type, value }) => ({ type, value: type === SeedType.query ? withoutTexts(value) : value }));
  const words = hidden
    .flatMap(({ value }) => [value, sight.nameOf(value) ?? ''])
    .filter((text) => text !== '');
  const names = (text: string): boolean =>
    words.some((word) => text.toUpperCase().includes(word.toUpperCase()));
  const isHidden = row.seeds.length > 0 && shown.length === 0;
  return {
    ...row,
    name: isHidden || names(row.name) ? HIDDEN_NAME : row.name,
    description: isHidden || names(row.description) ? '' : row.description,
    seeds: shown,
    query_error: row.query_error === null ? null : FAILED,
    ...(hidden.length > 0 && { hidden_seeds: hidden.length }),
  };
}

/** @param sight absent for users who may see all */
export const seenSelectors = (rows: readonly SelectorRow[], sight: RuleSight | undefined): SeenSelector[] =>
  rows.map((row) => seenSelector(row, sight));
