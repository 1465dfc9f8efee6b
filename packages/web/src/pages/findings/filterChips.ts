/** Filters of findings: their names, their form in the address, and their query to the service. */
import type { Address } from '../../address.ts';
import { STATUSES, severityText, statusText } from './words.ts';

/** Filters by a part of a text, keyed by column. */
export const TEXT_FILTERS = {
  text: { title: 'Text', column: 'text' },
  principal: { title: 'Principal', column: 'source_principal_name' },
  target: { title: 'Target', column: 'target_principal_name' },
} as const;
export type TextFilter = keyof typeof TEXT_FILTERS;

const TEXT_NAMES = Object.keys(TEXT_FILTERS) as TextFilter[];
export const SEVERITIES = ['critical', 'high', 'moderate', 'low'] as const;

/** All parameters that narrow the list, in addition to environment and zone, which the page sets. */
export const CHIP_NAMES = [
  ...(['severity', 'type', 'status', 'owner', 'overdue', 'new'] as const),
  ...TEXT_NAMES,
  ...(['cause', 'about', 'repair', 'similar'] as const),
] as const;
/** Changing a filter shows the first page of the list, and closes all groups. */
export const FROM_START = { skip: undefined, open: undefined } as const;
export type ChipName = (typeof CHIP_NAMES)[number];

const isText = (name: string): name is TextFilter => Object.hasOwn(TEXT_FILTERS, name);

/** Filters of the address as parameters of the operation. */
export function findingFilters(address: Address) {
  const is = (name: string) => {
    const value = address.get(name);
    return value === undefined ? undefined : `eq:${value}`;
  };
  const has = (name: TextFilter) => {
    const value = address.get(name);
    return value === undefined ? undefined : `~eq:${value}`;
  };
  return {
    environment_id: is('env'),
    asset_group_tag_id: is('zone'),
    severity: is('severity'),
    finding: is('type'),
    group_id: is('cause'),
    target_principal_id: is('about'),
    repair: is('repair'),
    similar: is('similar'),
    status: is('status'),
    owner: is('owner'),
    overdue: is('overdue'),
    first_seen: newSince(address.number('new', 0)),
    text: has('text'),
    source_principal_name: has('principal'),
    target_principal_name: has('target'),
  };
}

const DAY_MS = 86_400_000;

/** Rounded to a day, so that all requests of a day are equal, and answers are cached. */
function newSince(days: number): string | undefined {
  if (days === 0 || days > 3650) return undefined;
  const start = (Math.floor(Date.now() / DAY_MS) - days) * DAY_MS;
  return `gte:${new Date(start).toISOString()}`;
}

export interface Chip {
  readonly name: ChipName;
  readonly words: string;
}

export interface FindingType {
  readonly finding: string;
  readonly title: string;
}

export interface Owner {
  readonly id: string;
  readonly name: string;
}

/** Filter values for owners that are not users. */
const OWNERS: readonly (readonly [value: string, words: string])[] = [
  ['me', 'me'],
  ['none', 'none'],
];

function ownerWords(value: string, owners: readonly Owner[]): string {
  const [, words] = OWNERS.find(([one]) => one === value) ?? [];
  return words ?? owners.find(({ id }) => id === value)?.name ?? 'one user';
}

const SHARED: Readonly<Record<string, string>> = {
  cause: 'One root cause',
  about: 'One object',
  similar: 'Findings that are similar',
};

export function chipsOf(
  address: Address,
  types: readonly FindingType[] = [],
  owners: readonly Owner[] = [],
): readonly Chip[] {
  return CHIP_NAMES.flatMap((name): Chip[] => {
    const value = address.get(name);
    if (value === undefined) return [];
    if (isText(name)) return [{ name, words: `${TEXT_FILTERS[name].title} contains "${value}"` }];
    if (name === 'severity') return [{ name, words: `Severity: ${severityText(value)}` }];
    if (name === 'status') return [{ name, words: `Status: ${statusText(value)}` }];
    if (name === 'owner') return [{ name, words: `Owner: ${ownerWords(value, owners)}` }];
    if (name === 'overdue') return [{ name, words: value === 'true' ? 'Overdue' : 'Not overdue' }];
    if (name === 'new') return [{ name, words: `New in ${value} days` }];
    if (name === 'type')
      return [{ name, words: `Type: ${types.find(({ finding }) => finding === value)?.title ?? value}` }];
    if (name === 'repair') return [{ name, words: `Closed by card ${value} of the plan` }];
    return [{ name, words: SHARED[name] ?? name }];
  });
}

export interface Suggestion {
  readonly name: ChipName;
  readonly value: string;
  readonly words: string;
}

const MAX_TYPES = 8;
const MAX_OWNERS = 8;

/**
 * Suggestions for typed text: the text itself, then values by their words, then parts of names. In `severity:high`, the filter is
 * named.
 */
export function suggestionsFor(
  typed: string,
  types: readonly FindingType[],
  owners: readonly Owner[] = [],
): readonly Suggestion[] {
  const [, asked, rest] = /^\s*([a-z]+):(.*)$/i.exec(typed) ?? [undefined, undefined, typed];
  const text = (rest ?? '').trim();
  const low = text.toLowerCase();
  const isAsked = (name: string): boolean => asked === undefined || name === asked.toLowerCase();
  const has = (words: string): boolean => words.toLowerCase().includes(low);
  // The beginning of a filter's name lists its values: "sev" lists severities.
  const isNamed = (name: string): boolean => low !== '' && name.startsWith(low);
  const values: Suggestion[] = [
    ...SEVERITIES.map((value) => ({
      name: 'severity' as const,
      value,
      words: `Severity: ${severityText(value)}`,
    })).filter(({ value }) => isAsked('severity') && (has(value) || isNamed('severity'))),
    ...STATUSES.filter(([value]) => value !== 'active')
      .map(([value, words]) => ({ name: 'status' as const, value, words: `Status: ${words}` }))
      .filter(({ words }) => isAsked('status') && has(words)),
    ...[...OWNERS, ...(text === '' ? [] : owners.map(({ id, name }) => [id, name] as const))]
      .filter(([, words]) => isAsked('owner') && (has(words) || isNamed('owner')))
      .slice(0, MAX_OWNERS)
      .map(([value, words]) => ({ name: 'owner' as const, value, words: `Owner: ${words}` })),
    ...(text === '' && asked === undefined ? [] : types)
      .filter(({ title }) => isAsked('type') && (has(title) || isNamed('type')))
      .slice(0, MAX_TYPES)
      .map(({ finding, title }) => ({ name: 'type' as const, value: finding, words: `Type: ${title}` })),
  ];
  const parts: Suggestion[] =
    text === ''
      ? []
      : TEXT_NAMES.filter(isAsked).map((name) => ({
          name,
          value: text,
          words: `${TEXT_FILTERS[name].title} contains "${text}"`,
        }));
  const [first, ...others] = parts;
  const isName = low.length >= MIN_NAME && NAMES.some((name) => name.startsWith(low));
  // Free text searches texts first; values such as types are the second choice. The name of a filter, or its beginning, selects
  // the filter.
  return asked === undefined && first !== undefined && !isName
    ? [first, ...values, ...others]
    : [...values, ...parts];
}

const NAMES = ['severity', 'status', 'owner', 'type'];
/** Minimum number of letters that count as the beginning of a filter's name. */
const MIN_NAME = 3;
