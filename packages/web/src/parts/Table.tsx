/** A table sorted and paged by the service, so that the browser never loads a million rows. */
import { type FocusEvent, Fragment, type PointerEvent, type ReactNode } from 'react';
import { formatCount } from '../text/formats.ts';
import { useNarrow } from './useNarrow.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Name for sorting, if the service supports it. */
  readonly sort?: string;
  readonly numeric?: boolean;
  /** Whether the column takes the remaining width. */
  readonly grows?: boolean;
  /** Whether the column needs no title on a card; default: true for the first column. */
  readonly isClear?: boolean;
  /** Whether its cells may have several lines; cells of other columns have one, with an ellipsis for long texts. */
  readonly isWhole?: boolean;
  /** Priority for hiding the column in a narrow table: 2 before 1. Columns without a number stay. */
  readonly givesWay?: 1 | 2;
}

export interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** `name`, or `-name` for descending. */
  readonly sortedBy?: string;
  /** Name of the default order, shown while no column is sorted. */
  readonly ownOrder?: string;
  /** @param by `undefined` for the default order */
  readonly onSort?: (by: string | undefined) => void;
  readonly isSelected?: (row: Row) => boolean;
  /** Full-width content below a row; null for most rows. */
  readonly below?: (row: Row) => ReactNode;
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, sortedBy, onSort, isSelected, below } = props;
  if (useNarrow()) return <Cards {...props} />;
  return (
    // Wide tables scroll separately, also with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable with the keyboard
    <section className="table-box" aria-label={`${caption}, table`} tabIndex={0}>
      <table onPointerOver={revealCut} onFocus={revealCut}>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ sort, ...column }) => (
              <th
                key={column.title}
                scope="col"
                className={classOf(column)}
                aria-sort={orderOf(sort, sortedBy)}
              >
                {sort !== undefined && onSort !== undefined ? (
                  <button
                    type="button"
                    className="plain"
                    onClick={() => onSort(sortedBy === `-${sort}` ? sort : `-${sort}`)}
                  >
                    {column.title}
                    <span aria-hidden="true">{sortSign(sort, sortedBy)}</span>
                  </button>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const more = below?.(row) ?? null;
            return (
              <Fragment key={keyOf(row)}>
                <tr className={isSelected?.(row) ? 'selected' : ''}>
                  {columns.map(({ cell, ...column }) => (
                    <td key={column.title} className={classOf(column)}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
                {more !== null && (
                  <tr>
                    <td colSpan={columns.length} className="whole">
                      {more}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {([2, 1] as const).map((order) => {
        const given = columns.filter(({ givesWay }) => givesWay === order);
        return (
          given.length > 0 && (
            <p key={order} className={`given-way gives-way-${order}`}>
              Not shown in a window this narrow: {given.map(({ title }) => title).join(', ')}
            </p>
          )
        );
      })}
    </section>
  );
}

/** The column of buttons, which stays in view while the table is scrolled sideways. */
const ACTIONS = 'Actions';

function classOf({ title, numeric, grows, isWhole, givesWay }: Partial<Column<never>>): string {
  const names = [numeric && 'numeric', grows && 'grows', isWhole && 'whole', title === ACTIONS && 'actions'];
  return [...names, givesWay && `gives-way-${givesWay}`].filter(Boolean).join(' ');
}

/** Shows the full text of a truncated cell as its title. */
function revealCut({ target }: PointerEvent | FocusEvent): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (cell === null) return;
  const parts = [cell, ...cell.querySelectorAll('*')];
  if (parts.some(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth))
    cell.title = cell.textContent;
  else cell.removeAttribute('title');
}

/** On a phone, each row is a card, so nothing is wider than the window. */
function Cards<Row>({
  caption,
  columns,
  rows,
  keyOf,
  sortedBy,
  ownOrder = 'As listed',
  onSort,
  isSelected,
  below,
}: TableProps<Row>) {
  const sortable = columns.filter(({ sort }) => sort !== undefined);
  return (
    <>
      {onSort !== undefined && sortable.length > 0 && (
        <label className="choice">
          Sort by{' '}
          <select value={sortedBy ?? ''} onChange={({ target }) => onSort(target.value || undefined)}>
            <option value="">{ownOrder}</option>
            {sortable.flatMap(({ title, sort }) => [
              <option key={sort} value={sort}>
                {title} ↑
              </option>,
              <option key={`-${sort}`} value={`-${sort}`}>
                {title} ↓
              </option>,
            ])}
          </select>
        </label>
      )}
      <ul className="row-cards" aria-label={caption}>
        {rows.map((row) => (
          <li key={keyOf(row)} className={isSelected?.(row) ? 'card selected' : 'card'}>
            <dl>
              {columns.map(({ title, cell, grows, isClear }, at) => {
                const content = cell(row);
                return content === '' ||
                  content === '–' ||
                  content === null ||
                  content === undefined ? null : (
                  <div key={title} className={grows ? 'grows' : at === 0 && isClear !== false ? 'lead' : ''}>
                    <dt className={(isClear ?? at === 0) ? 'unseen' : ''}>{title}</dt>
                    <dd>{content}</dd>
                  </div>
                );
              })}
            </dl>
            {below?.(row)}
          </li>
        ))}
      </ul>
    </>
  );
}

function orderOf(sort: string | undefined, sortedBy: string | undefined) {
  if (sort === undefined) return undefined;
  if (sortedBy === sort) return 'ascending';
  return sortedBy === `-${sort}` ? 'descending' : 'none';
}

function sortSign(sort: string, sortedBy: string | undefined): string {
  if (sortedBy === sort) return ' ↑';
  return sortedBy === `-${sort}` ? ' ↓' : '';
}

/** Position and maximum length of the page in the list, and a function to change pages. */
export interface ListPage {
  readonly skip: number;
  readonly limit: number;
  readonly onSkip: (skip: number) => void;
}

interface PagerProps {
  /** Name of the list. */
  readonly list: string;
  readonly page: ListPage;
  readonly count: number;
  readonly shown: number;
  /** Noun for the count, if the page counts something other than rows. */
  readonly noun?: string | undefined;
}

/** Shows the number of rows, and turns pages. */
export function Pager({ list, page: { skip, limit, onSkip }, count, shown, noun }: PagerProps) {
  return (
    <nav className="pager" aria-label={`Pages of ${list}`}>
      <span>
        {shown === 0 ? 'None' : `${formatCount(skip + 1)}–${formatCount(skip + shown)}`} of{' '}
        {formatCount(count)}
        {noun !== undefined && ` ${noun}`}
      </span>
      {(skip > 0 || shown < count) && (
        <>
          <button type="button" disabled={skip === 0} onClick={() => onSkip(Math.max(0, skip - limit))}>
            Previous
          </button>
          <button type="button" disabled={skip + shown >= count} onClick={() => onSkip(skip + limit)}>
            Next
          </button>
        </>
      )}
    </nav>
  );
}
