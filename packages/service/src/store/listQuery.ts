/** Filters, order and page of a list, as the API understands them, applied to a query. */
import type { Predicate } from '@clew/api';
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';

export interface ListFilter {
  readonly column: string;
  readonly predicate: Predicate;
  /** Already converted to the type of the column; times as text. */
  readonly value: string | number | boolean | null;
}

export interface ListOrder {
  readonly column: string;
  readonly descending: boolean;
}

export interface ListQuery {
  /** All have to hold. */
  readonly filters: readonly ListFilter[];
  readonly order: readonly ListOrder[];
  readonly skip: number;
  /** No limit when absent. */
  readonly limit?: number;
}

const OPERATORS = {
  eq: 'is not distinct from',
  neq: 'is distinct from',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
} as const;

/** @param query selects from one table whose columns bear the names of the list's */
export function applyFilters<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  filters: readonly ListFilter[],
): SelectQueryBuilder<DB, TB, O> {
  return filters.reduce(
    (filtered, { column, predicate, value }) =>
      filtered.where((eb: ExpressionBuilder<DB, TB>) =>
        predicate === '~eq'
          ? // Anywhere in the text, without regard to case.
            eb(sql`position(lower(${String(value)}) in lower(${sql.ref(column)}))`, '>', 0)
          : eb(sql.ref(column), sql.raw(OPERATORS[predicate]) as never, value),
      ),
    query,
  );
}

/** @param tieBreak unique column that makes the order total */
export function applyOrderAndPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { order, skip, limit }: ListQuery,
  tieBreak: string,
): SelectQueryBuilder<DB, TB, O> {
  let ordered = query;
  for (const { column, descending } of [...order, { column: tieBreak, descending: false }]) {
    ordered = ordered.orderBy(sql.ref(column), descending ? 'desc' : 'asc');
  }
  ordered = ordered.offset(skip);
  return limit === undefined ? ordered : ordered.limit(limit);
}
