/** Paged lists: each shows its loading state, its rows, its empty state, and the position of the page. */
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Address } from '../address.ts';
import { Answer } from './Answer.tsx';
import { type ListPage, Pager, Table, type TableProps } from './Table.tsx';

/** @param name of the parameter in the address: lists of the same page need different ones */
export const pageIn = (address: Address, limit: number, name = 'skip'): ListPage => ({
  skip: address.number(name, 0),
  limit,
  onSkip: (skip) => address.set({ [name]: skip || undefined }),
});

interface PagedListProps<Whole extends { readonly count: number }, Row>
  extends Omit<TableProps<Row>, 'rows'> {
  readonly query: UseQueryResult<Whole>;
  readonly rowsOf: (answer: Whole) => readonly Row[];
  readonly page: ListPage;
  /** Name of the loading list. */
  readonly what: string;
  /** Number of skeleton lines. */
  readonly lines?: number;
  /** Shown instead of a list without rows. */
  readonly empty: ReactNode;
}

/** A list that the service pages. */
export function PagedList<Whole extends { readonly count: number }, Row>(props: PagedListProps<Whole, Row>) {
  const { query, rowsOf, page, what, lines, empty, ...table } = props;
  return (
    <Answer query={query} what={what} lines={lines}>
      {(answer) => {
        const rows = rowsOf(answer);
        if (rows.length === 0 && page.skip === 0) return empty;
        return (
          <>
            <Table {...table} rows={rows} />
            <Pager list={table.caption} page={page} count={answer.count} shown={rows.length} />
          </>
        );
      }}
    </Answer>
  );
}

/** A completely loaded list, shown in pages; a short one has no pager. */
export function PagedRows<Row>({ limit, rows, ...table }: TableProps<Row> & { readonly limit: number }) {
  const [skip, setSkip] = useState(0);
  const from = Math.min(skip, Math.max(0, rows.length - 1));
  const shown = rows.slice(from, from + limit);
  if (rows.length === 0) return <p className="quiet">None.</p>;
  return (
    <>
      <Table {...table} rows={shown} />
      {rows.length > limit && (
        <Pager
          list={table.caption}
          page={{ skip: from, limit, onSkip: setSkip }}
          count={rows.length}
          shown={shown.length}
        />
      )}
    </>
  );
}
