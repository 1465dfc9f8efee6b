/** Lists with pages: each shows its wait, its rows, the face of an empty list, and where in it the page is. */
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Address } from '../address.ts';
import { Answer } from './Answer.tsx';
import { type ListPage, Pager, Table, type TableProps } from './Table.tsx';

/** @param name of the parameter of the address: two lists of one page have different ones */
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
  /** Lines of its skeleton. */
  readonly lines?: number;
  /** Shown instead of a list without rows. */
  readonly empty: ReactNode;
}

/** A list that the service cuts into pages. */
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

/** A list that is here as a whole, and shown in pages; a short one has no pages. */
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
