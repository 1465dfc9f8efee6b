/**
 * Columns of a list: which may be filtered and sorted, and by which predicates. One table per list serves the
 * documentation (query parameters), the parser of the service, and the client.
 * Rule: `docs/reference/api.md#filters-and-sorting`.
 */
import Type, { type TArray, type TOptional, type TString, type TUnion } from 'typebox';
import { type ParsedElsewhere, parsedElsewhere } from './parameters.ts';

export type ColumnType = 'string' | 'integer' | 'number' | 'time' | 'uuid' | 'boolean';

export interface Column {
  readonly type: ColumnType;
  readonly filterable: boolean;
  readonly sortable: boolean;
  /** The possible words of the column; filters use one of them, case-insensitively. */
  readonly words?: readonly string[];
  /** The column contains ids in upper case; filters are case-insensitive. */
  readonly isId?: boolean;
  /** A time of an event that may not have occurred: answers, filters and orders use the year 1 for a missing value. */
  readonly canBeNever?: boolean;
}

export type ColumnTable = Readonly<Record<string, Column>>;

/** A column that can be filtered and sorted, unless `uses` excludes one of them. */
export function column(
  type: ColumnType,
  { filterable = true, sortable = true, ...values }: Partial<Omit<Column, 'type'>> = {},
): Column {
  return { type, filterable, sortable, ...values };
}

export const PREDICATES = ['eq', 'neq', '~eq', 'gt', 'gte', 'lt', 'lte'] as const;
export type Predicate = (typeof PREDICATES)[number];

const EQUALITY: readonly Predicate[] = ['eq', 'neq'];
const ORDERING: readonly Predicate[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'];

/** The predicates that a column of a type supports. */
export const PREDICATES_OF: Readonly<Record<ColumnType, readonly Predicate[]>> = {
  string: ['eq', 'neq', '~eq'],
  integer: ORDERING,
  number: ORDERING,
  time: ORDERING,
  uuid: EQUALITY,
  boolean: EQUALITY,
};

/** Time of an event that may not have occurred yet. */
export const NEVER_OR_TIME = column('time', { canBeNever: true });

/** The time columns of records. */
export const TIMESTAMP_COLUMNS = {
  created_at: column('time'),
  updated_at: column('time'),
  deleted_at: column('time', { canBeNever: true }),
} as const satisfies ColumnTable;

type ListParameter = ParsedElsewhere<TOptional<TUnion<[TString, TArray<TString>]>>>;

type ListParameters<C extends ColumnTable> = { [Name in keyof C]: ListParameter } & {
  sort_by: ListParameter;
};

/** A parameter that may be repeated. The filter module, not the schema, parses its texts. */
const repeatable = (description: string) =>
  parsedElsewhere(Type.Union([Type.String(), Type.Array(Type.String())], { description }), 'filters');

/** Query parameters for the columns of a list: one filter per filterable column, and `sort_by`. */
export function listParameters<const C extends ColumnTable>(columns: C): ListParameters<C> {
  const sortable = Object.keys(columns).filter((name) => columns[name].sortable);
  const filters = Object.entries(columns)
    .filter(([, { filterable }]) => filterable)
    .map(([name, { type }]) => [
      name,
      repeatable(
        `Filter by \`${name}\` (${type}): \`[predicate:]value\`, predicates ${PREDICATES_OF[type].map((predicate) => `\`${predicate}\``).join(', ')}. May be repeated; all have to hold.`,
      ),
    ]);
  return {
    ...Object.fromEntries(filters),
    sort_by: repeatable(
      `Sort by column; prefix a hyphen for descending order. May be repeated. Columns: ${sortable.map((name) => `\`${name}\``).join(', ')}.`,
    ),
  } as ListParameters<C>;
}
