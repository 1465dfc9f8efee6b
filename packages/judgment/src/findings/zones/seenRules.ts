/**
 * Limits selectors for users with limited environments. Seeds by the id of a hidden object are only counted; query texts can name any
 * object, and clients name selectors after their objects.
 *
 * Rule: `docs/reference/api.md#environments`.
 */
import { withoutTexts } from '@clew/cypher';
import type { Seed, SelectorChange, SelectorRow } from './selectors.ts';
import { SeedType } from './storedZones.ts';
import { ZoneError } from './zoneError.ts';

/** The objects that a user may see, by id. */
export interface RuleSight {
  sees(objectId: string): boolean;
  /** @returns the name of the object; undefined if it does not exist */
  nameOf(objectId: string): string | undefined;
}

export type SeenSelector = SelectorRow & {
  /** Number of seeds by ids of objects that the user may not see. */
  readonly hidden_seeds?: number;
};

const HIDDEN_NAME = '** Hidden Selector **';
const FAILED = 'The query is not valid';

/** @param sight undefined for users who may see everything */
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

/** @param sight undefined for users who may see everything */
export const seenSelectors = (rows: readonly SelectorRow[], sight: RuleSight | undefined): SeenSelector[] =>
  rows.map((row) => seenSelector(row, sight));

/**
 * The change requested by a caller who sees only part of the selector: values sent back as they were shown stay as stored, and so do seeds
 * that the caller does not see.
 *
 * @param sight undefined for users who may see everything
 * @throws ZoneError if it would switch off seeds that the caller does not see
 */
export function changeOfSeen(
  row: SelectorRow,
  sight: RuleSight | undefined,
  change: SelectorChange,
): SelectorChange {
  if (sight === undefined) return change;
  const seen = seenSelector(row, sight);
  if ((change.disabled ?? seen.disabled_at !== null) !== (seen.disabled_at !== null)) expectWhole(row, sight);
  const { name, description, seeds, ...others } = change;
  return {
    ...others,
    ...(name !== undefined && { name: name === seen.name ? row.name : name }),
    ...(description !== undefined && {
      description: description === seen.description ? row.description : description,
    }),
    ...(seeds !== undefined && { seeds: withUnseen(row, sight, seeds) }),
  };
}

/**
 * Switching a selector off, or deleting it, changes everything that it selects.
 *
 * @throws ZoneError if it has seeds that the caller does not see
 */
export function expectWhole(row: SelectorRow, sight: RuleSight | undefined): void {
  if (!isSeenWhole(row, sight))
    throw new ZoneError('protected', 'the selector also selects objects that you cannot see');
}

/** @returns whether the caller sees all its seeds */
export function isSeenWhole(row: SelectorRow, sight: RuleSight | undefined): boolean {
  return seenSelector(row, sight).hidden_seeds === undefined;
}

/** Keeps the stored order, with new seeds last. */
function withUnseen({ seeds: stored }: SelectorRow, sight: RuleSight, sent: readonly Seed[]): Seed[] {
  const isSent = new Set(sent.map(keyOf));
  const isHidden = ({ type, value }: Seed): boolean => type === SeedType.objectId && !sight.sees(value);
  const kept = stored.filter((seed) => isHidden(seed) || keysOf(seed).some((key) => isSent.has(key)));
  const known = new Set(kept.flatMap(keysOf));
  return [...kept, ...sent.filter((seed) => !known.has(keyOf(seed)))];
}

/** Keys of the seed: one for its stored form, one for its displayed form. */
const keysOf = (seed: Seed): string[] =>
  seed.type === SeedType.query
    ? [keyOf(seed), keyOf({ ...seed, value: withoutTexts(seed.value) })]
    : [keyOf(seed)];

/** Ids are case-insensitive. */
const keyOf = ({ type, value }: Seed): string =>
  `${type} ${type === SeedType.objectId ? value.trim().toUpperCase() : value.trim()}`;
