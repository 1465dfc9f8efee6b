/** Filters and sorts as conditions and orders of a Kysely query. Selects the same rows in the same order as `rows.ts`. */
import { type ColumnType, ZERO_TIME } from '@clew/api';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Filter } from './filters.ts';
import type { Sort } from './sorting.ts';

/** SQL expression of a column of the list, if it is not the column of the same name. */
export type ColumnReferences = Readonly<Record<string, Expression<unknown>>>;

/** Values are cast, so a number that is too large for the column causes no error and matches nothing. */
const CAST: Readonly<Record<ColumnType, RawBuilder<unknown>>> = {
  string: sql`text`,
  integer: sql`bigint`,
  number: sql`double precision`,
  time: sql`timestamptz`,
  uuid: sql`uuid`,
  boolean: sql`boolean`,
};

const OPERATOR = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const;

/** `query.where((eb) => eb.and(filterConditions(filters)))` */
export function filterConditions(
  filters: readonly Filter[],
  references: ColumnReferences = {},
): Expression<SqlBool>[] {
  return filters.map((filter) => conditionOrNever(filter, asShown(filter, references)));
}

/** `query.orderBy(...)` for each, and then by the key of the table, so that pages are stable. */
export function sortOrders(sorts: readonly Sort[], references: ColumnReferences = {}): RawBuilder<unknown>[] {
  return sorts.map(({ column, type, descending, canBeNever }) => {
    // Byte by byte, which is the same order on every database.
    const collation = type === 'string' ? sql` collate "C"` : sql``;
    return sql`${asShown({ column, type }, references)}${collation} ${descending ? sql`desc` : sql`asc`}${
      canBeNever !== true ? sql`` : descending ? sql` nulls last` : sql` nulls first`
    }`;
  });
}

/** Converts values that are texts in answers to the type of the table (ids of users); texts stay unchanged. */
function asShown(
  { column, type }: Pick<Sort, 'column' | 'type'>,
  references: ColumnReferences,
): Expression<unknown> {
  const reference = references[column] ?? sql.ref(column);
  return type === 'string' ? sql`(${reference})::text` : reference;
}

/** The condition on `column` with the year 1 for missing values, in a form that can use an index. */
function conditionOrNever(filter: Filter, column: Expression<unknown>): Expression<SqlBool> {
  const { predicate, value, canBeNever } = filter;
  const fits = condition(filter, column);
  if (canBeNever !== true || value === null) return fits;
  const isYearOne = value === ZERO_TIME;
  switch (predicate) {
    case 'lt':
      return isYearOne ? fits : sql`(${fits} or ${column} is null)`;
    case 'lte':
      return sql`(${fits} or ${column} is null)`;
    case 'neq':
      return isYearOne ? sql`(${fits} and ${column} is not null)` : fits;
    case 'eq':
    case 'gte':
      return isYearOne ? sql`(${fits} or ${column} is null)` : fits;
    default:
      return fits;
  }
}

function condition(
  { type, predicate, value, isId }: Filter,
  column: Expression<unknown>,
): Expression<SqlBool> {
  const operand = sql`cast(${value} as ${CAST[type]})`;
  if (isId && value !== null && (predicate === 'eq' || predicate === 'neq')) {
    const isOne = sql<SqlBool>`${column} in (${operand}, upper(${operand}))`;
    return predicate === 'eq' ? isOne : sql`(${isOne}) is not true`;
  }
  switch (predicate) {
    case 'eq':
      return value === null ? sql`${column} is null` : sql`${column} = ${operand}`;
    case 'neq':
      return value === null ? sql`${column} is not null` : sql`${column} is distinct from ${operand}`;
    case '~eq':
      return sql`${column} ilike ${`%${escapeLike(String(value))}%`}`;
    default:
      return sql`${column} ${OPERATOR[predicate]} ${operand}`;
  }
}

/** `%` and `_` of a value are literal. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
