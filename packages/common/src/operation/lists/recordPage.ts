/** A page of records that are few enough to be read at once: filtered, and sorted as requested or else in the order of the list. */
import type { ColumnTable } from '@clew/api';
import { parseListQuery } from './listQuery.ts';
import { cutPage, filterRows, type Page, sortRows } from './rows.ts';

export interface RecordPageRequest {
  readonly query: { readonly skip: number; readonly limit: number };
  readonly rawQuery: URLSearchParams;
}

/**
 * @param records in the order of the list; their members are the columns
 * @param others further parameters of the endpoint that are not filters
 * @throws ApiError 400 like `parseListQuery`
 */
export function recordPage<Record extends object>(
  records: readonly Record[],
  columns: ColumnTable,
  { query, rawQuery }: RecordPageRequest,
  others: readonly string[] = [],
): Omit<Page<Record>, 'data'> & { readonly data: Record[] } {
  const { filters, sorts } = parseListQuery(rawQuery, columns, others);
  const places = new Map(records.map((record, place) => [record, place]));
  const inOrder = (a: Record, b: Record): number => (places.get(a) ?? 0) - (places.get(b) ?? 0);
  const page = cutPage(sortRows(filterRows(records, filters), sorts, inOrder), query);
  return { ...page, data: [...page.data] };
}
