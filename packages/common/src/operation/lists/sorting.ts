/**
 * Sorting of lists: `sort_by=column`, `sort_by=-column`, repeated in order
 * (`docs/reference/api.md#filters-and-sorting`).
 */
import type { ColumnTable, ColumnType } from '@clew/api';
import { apiError } from '../apiError.ts';

export interface Sort {
  readonly column: string;
  readonly type: ColumnType;
  readonly descending: boolean;
  /** Whether the year 1 represents a missing value. */
  readonly canBeNever?: boolean;
}

const sameName = (columns: ColumnTable, asked: string): string | undefined =>
  Object.keys(columns).find((name) => name.toLowerCase() === asked.toLowerCase());

/** @throws ApiError 400 for an empty parameter and for a column that cannot be sorted */
export function parseSort(query: URLSearchParams, columns: ColumnTable): readonly Sort[] {
  const sorts: Sort[] = [];
  for (const text of query.getAll('sort_by')) {
    const descending = text.startsWith('-');
    const asked = descending ? text.slice(1) : text;
    if (asked === '') throw apiError('emptySort');
    // Answers spell some names differently (`objectID`); the meaning is clear.
    const name = Object.hasOwn(columns, asked) ? asked : (sameName(columns, asked) ?? asked);
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (!column?.sortable) throw apiError('columnNotSortable', { column: name });
    // A repeated column does not change the order.
    if (!sorts.some((sort) => sort.column === name))
      sorts.push({
        ...{ column: name, type: column.type, descending },
        ...(column.canBeNever && { canBeNever: true }),
      });
  }
  return sorts;
}
