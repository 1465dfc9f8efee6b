/**
 * Parses filters of lists, `column=[predicate:]value`, into typed expressions. `rows.ts` (memory) and `sql.ts` (database) apply them. Rule:
 * `docs/reference/api.md#filters-and-sorting`. Intended extensions of the original: a bare value means `eq`, values may contain further
 * colons, times may have positive offsets.
 */
import {
  type Column,
  type ColumnTable,
  type ColumnType,
  errorMessage,
  PREDICATES,
  PREDICATES_OF,
  type Predicate,
} from '@clew/api';
import { ApiError, apiError } from '../apiError.ts';
import { parseTime } from './time.ts';

export type FilterValue = string | number | boolean | null;

export interface Filter {
  readonly column: string;
  readonly type: ColumnType;
  readonly predicate: Predicate;
  /** `null` only with `eq` and `neq`. Times have the format of answers, UUIDs are in lower case. */
  readonly value: FilterValue;
  /** Whether the year 1 represents a missing value. */
  readonly canBeNever?: boolean;
  /** An object id, which matches exactly or in upper case, because most ids are stored in upper case. */
  readonly isId?: boolean;
}

/** Parameters that are never filters, unless the list has a column with that name. */
const NEVER_FILTERS: ReadonlySet<string> = new Set([
  'skip',
  'limit',
  'offset',
  'sort_by',
  'before',
  'after',
  'scope',
  'from',
  'to',
  'start',
  'end',
  'type',
  'counts',
  'hydrate_domains',
  'hydrate_ous',
  'finding',
]);

/** The predicates, including those of set filters. */
const FILTER_WORDS: ReadonlySet<string> = new Set([...PREDICATES, 'in', 'nin']);

/** An unknown parameter is a filter if its value begins with a word and a colon, even if the word is not a predicate. */
const LIKE_A_PREDICATE = /^~?[a-z]+$/i;

/**
 * @param others further parameters of the endpoint that are not filters
 * @throws ApiError 400 for an unknown column, a predicate that the column does not support, or a value of a different type
 */
export function parseFilters(
  query: URLSearchParams,
  columns: ColumnTable,
  others: readonly string[] = [],
): readonly Filter[] {
  const filters: Filter[] = [];
  for (const [name, text] of query) {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if ((column === undefined && NEVER_FILTERS.has(name)) || others.includes(name)) continue;
    // An empty field of a form is not a filter.
    if (column?.filterable && text === '') continue;
    if (column?.filterable) filters.push(parseFilter(name, column, text));
    else if (column !== undefined || LIKE_A_PREDICATE.test(wordBefore(text) ?? ''))
      throw apiError('columnNotFilterable', { column: name });
  }
  return filters;
}

function wordBefore(text: string): string | undefined {
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : text.slice(0, colon);
}

function parseFilter(column: string, { type, words, isId, canBeNever }: Column, text: string): Filter {
  const word = wordBefore(text);
  const isPredicate = word !== undefined && FILTER_WORDS.has(word);
  // Times contain colons, and ids of other platforms may; in other columns, an unknown word before a colon is an invalid predicate.
  if (word !== undefined && !isPredicate && type !== 'time' && !isId)
    throw malformed(
      column,
      `"${word.slice(0, 50)}" is not a predicate; valid ones are ${PREDICATES_OF[type].join(', ')}`,
    );
  const predicate = isPredicate ? word : 'eq';
  if (!PREDICATES_OF[type].includes(predicate as Predicate))
    throw apiError('predicateNotSupported', { column, predicate });
  const asked = isPredicate ? text.slice(word.length + 1) : text;
  const value = parseValue(column, type, predicate as Predicate, asked);
  return {
    column,
    type,
    predicate: predicate as Predicate,
    value: held(column, value, predicate, words),
    ...(canBeNever && { canBeNever }),
    ...(isId && { isId }),
  };
}

/** @returns the value as the column stores it; fixed words are case-insensitive */
function held(column: string, value: FilterValue, predicate: string, words: Column['words']): FilterValue {
  if (typeof value !== 'string') return value;
  if (words === undefined || predicate === '~eq') return value;
  const known = words.find((word) => word.toLowerCase() === value.toLowerCase());
  if (known === undefined) throw malformed(column, `must be one of ${words.join(', ')}`);
  return known;
}

/** The text that clients check, and the error with its parameter. */
const malformed = (column: string, reason: string): ApiError =>
  new ApiError('malformedFilter', errorMessage('malformedFilter'), { details: [`${column}: ${reason}`] });

function parseValue(column: string, type: ColumnType, predicate: Predicate, text: string): FilterValue {
  if (text === 'null' && (predicate === 'eq' || predicate === 'neq')) return null;
  const value = PARSERS[type](text);
  if (value === undefined) throw malformed(column, `must be ${EXPECTED[type]}`);
  return value;
}

const EXPECTED: Readonly<Record<ColumnType, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  time: 'a time, such as 2026-01-31T10:00:00Z',
  uuid: 'a UUID',
  boolean: 'true or false',
};

const PARSERS: Readonly<Record<ColumnType, (text: string) => FilterValue | undefined>> = {
  string: (text) => text,
  integer: (text) =>
    /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined,
  number: (text) => (/^[+-]?\d{1,300}(\.\d{1,300})?$/.test(text) ? Number(text) : undefined),
  time: parseTime,
  uuid: (text) =>
    /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined,
  boolean: (text) => (/^(t|true)$/i.test(text) ? true : /^(f|false)$/i.test(text) ? false : undefined),
};
