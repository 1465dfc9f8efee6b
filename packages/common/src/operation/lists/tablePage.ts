/** A page of a table or view: filtered, counted, and sorted as requested and then in the order of the table. */
import type { Db, Schema } from '@clew/store';
import { type Expression, type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Filter } from './filters.ts';
import type { Sort } from './sorting.ts';
import { type ColumnReferences, filterConditions, sortOrders } from './sql.ts';

export interface TablePage<Table extends keyof Schema> {
  readonly table: Table;
  readonly list: { readonly filters: readonly Filter[]; readonly sorts: readonly Sort[] };
  readonly page: { readonly skip: number; readonly limit: number };
  /** Conditions for all rows, in addition to those of the request. */
  readonly conditions?: readonly Expression<SqlBool>[];
  readonly references?: ColumnReferences;
  /** Order of otherwise equal rows; ends with a key, so that pages are stable. Default: `id`. */
  readonly order?: readonly RawBuilder<unknown>[];
  /** A limit of 0 means no limit, as in some lists of the public service. */
  readonly zeroIsAll?: boolean;
}

/** The deletion time of records, for lists whose records are deleted permanently. */
export const NEVER_DELETED: ColumnReferences = { deleted_at: sql`null::timestamptz` };

/** @returns the rows of the page, and the number of all rows */
export async function tablePage<Table extends keyof Schema>(
  db: Db,
  request: TablePage<Table>,
): Promise<{ readonly count: number; readonly rows: Selectable<Schema[Table]>[] }> {
  const { table, list, page, conditions = [], references, order = [sql.ref('id')], zeroIsAll } = request;
  // biome-ignore lint/suspicious/noExplicitAny: the table is known when the function is called, not here.
  const fitting = (db as Kysely<any>)
    .selectFrom(table as string)
    .where((eb) => eb.and([...conditions, ...filterConditions(list.filters, references)]));
  const { count } = await fitting
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const sorted = [...sortOrders(list.sorts, references), ...order].reduce(
    (query, by) => query.orderBy(by),
    fitting.selectAll().offset(page.skip),
  );
  const isWhole = zeroIsAll === true && page.limit === 0;
  const rows = await (isWhole ? sorted : sorted.limit(page.limit)).execute();
  return { count, rows: rows as Selectable<Schema[Table]>[] };
}
