/** The complete query of a list: its filters and its order. Paging comes from the validated parameters. */
import type { ColumnTable } from '@clew/api';
import { type Filter, parseFilters } from './filters.ts';
import { parseSort, type Sort } from './sorting.ts';

export type { Filter } from './filters.ts';
export { cutPage, filterRows, type Page, type ReadColumn, sortRows } from './rows.ts';
export type { Sort } from './sorting.ts';
export { type ColumnReferences, escapeLike, filterConditions, sortOrders } from './sql.ts';
export { NEVER_DELETED, tablePage } from './tablePage.ts';

export interface ListQuery {
  readonly filters: readonly Filter[];
  readonly sorts: readonly Sort[];
}

/**
 * @param others further parameters of the endpoint that are not filters
 * @throws ApiError 400 with the message of the first error
 */
export function parseListQuery(
  query: URLSearchParams,
  columns: ColumnTable,
  others: readonly string[] = [],
): ListQuery {
  return { filters: parseFilters(query, columns, others), sorts: parseSort(query, columns) };
}
