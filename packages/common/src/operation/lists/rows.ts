/** Filters, sorts and cuts rows in memory. The result has the same rows in the same order as that of `sql.ts`. */
import { ZERO_TIME } from '@clew/api';
import type { Filter, FilterValue } from './filters.ts';
import type { Sort } from './sorting.ts';
import { parseTime } from './time.ts';

/** Reads a column of a row; times as text or date. `undefined` and `null` are the same. */
export type ReadColumn<Row> = (row: Row, column: string) => unknown;

type Value = string | number | boolean | null;

/** @returns the rows that match all filters, in the same order */
export function filterRows<Row>(
  rows: readonly Row[],
  filters: readonly Filter[],
  read: ReadColumn<Row> = readProperty,
): readonly Row[] {
  if (filters.length === 0) return rows;
  return rows.filter((row) =>
    // `eq:null` finds missing values.
    filters.every((filter) =>
      accepts(filter, comparable(read(row, filter.column), filter, filter.value === null ? null : ZERO_TIME)),
    ),
  );
}

/** @param tieBreak compares rows that are equal in all sorted columns, so that pages are stable */
export function sortRows<Row>(
  rows: readonly Row[],
  sorts: readonly Sort[],
  tieBreak: (a: Row, b: Row) => number,
  read: ReadColumn<Row> = readProperty,
): readonly Row[] {
  return rows.toSorted((a, b) => {
    for (const sort of sorts) {
      const order = compare(comparable(read(a, sort.column), sort), comparable(read(b, sort.column), sort));
      if (order !== 0) return sort.descending ? -order : order;
    }
    return tieBreak(a, b);
  });
}

export interface Page<Row> {
  readonly count: number;
  readonly skip: number;
  readonly limit: number;
  readonly data: readonly Row[];
}

/** @param zeroMeansAll whether `limit=0` returns all rows, as in lists of findings, instead of none (`docs/reference/api.md#paging`) */
export function cutPage<Row>(
  rows: readonly Row[],
  { skip, limit }: { readonly skip: number; readonly limit: number },
  { zeroMeansAll = false }: { readonly zeroMeansAll?: boolean } = {},
): Page<Row> {
  const end = limit === 0 && zeroMeansAll ? rows.length : skip + limit;
  return { count: rows.length, skip, limit, data: rows.slice(skip, end) };
}

function readProperty(row: unknown, column: string): unknown {
  return (row as Readonly<Record<string, unknown>>)[column];
}

function comparable(
  value: unknown,
  { type, canBeNever }: Pick<Filter, 'type' | 'canBeNever'>,
  forNever: Value = ZERO_TIME,
): Value {
  if (value === undefined || value === null) return canBeNever ? forNever : null;
  if (type === 'time') {
    // An answer contains only the time of a wrapper.
    const shown = typeof value === 'object' && 'time' in value ? value.time : value;
    const text = shown instanceof Date ? shown.toISOString() : String(shown);
    const isNever = canBeNever === true && text.startsWith('0001-01-01');
    return isNever ? forNever : (parseTime(text) ?? null);
  }
  if (type === 'uuid') return String(value).toLowerCase();
  if (type === 'string') return String(value);
  return value as number | boolean;
}

function accepts({ predicate, value, isId }: Filter, actual: Value): boolean {
  if (isId && typeof value === 'string' && (predicate === 'eq' || predicate === 'neq'))
    return (actual === value || actual === value.toUpperCase()) === (predicate === 'eq');
  switch (predicate) {
    case 'eq':
      return actual === value;
    case 'neq':
      return actual !== value;
    case '~eq':
      return actual !== null && String(actual).toLowerCase().includes(String(value).toLowerCase());
    case 'gt':
      return actual !== null && actual > nonNull(value);
    case 'gte':
      return actual !== null && actual >= nonNull(value);
    case 'lt':
      return actual !== null && actual < nonNull(value);
    case 'lte':
      return actual !== null && actual <= nonNull(value);
  }
}

/** The parser returns `null` only for `eq` and `neq`. */
const nonNull = (value: FilterValue): string | number | boolean => value as string | number | boolean;

/** Code unit order; missing values come last, as in the database. */
function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
