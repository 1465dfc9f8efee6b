/**
 * Staging tables for rows on their way into the store. Their columns are declared once, and the statement that creates the table and the
 * writer of its rows follow from the declaration. A writer accepts the columns by name and in order; a missing column, or one of another
 * type, does not compile.
 *
 *   const STAGE_SEEN = stagedTable('stage_seen', [['id', 'int4'], ['note', 'text', 'nullable']]);
 *   rows.begin().id(7).note(null);
 */
import { CopyRows } from './copyRows.ts';

/** SQL type of each name. `ctext` is text with bytewise comparison. */
const SQL_TYPES = {
  bool: 'boolean',
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  float8: 'double precision',
  bytea: 'bytea',
  text: 'text',
  ctext: 'text collate "C"',
  jsonb: 'jsonb',
  timestamptz: 'timestamptz',
  int2Array: 'smallint[]',
  int4Array: 'integer[]',
  textArray: 'text[]',
} as const;

type ColumnType = keyof typeof SQL_TYPES;

export type StagedColumn =
  | readonly [name: string, type: ColumnType]
  | readonly [name: string, type: ColumnType, nullable: 'nullable'];

export interface StagedTable<Columns extends readonly StagedColumn[] = readonly StagedColumn[]> {
  readonly name: string;
  readonly columns: Columns;
}

export function stagedTable<const Columns extends readonly StagedColumn[]>(
  name: string,
  columns: Columns,
): StagedTable<Columns> {
  return { name, columns };
}

/** @returns the columns as `create table` lists them. */
export function columnList({ columns }: StagedTable): string {
  return columns
    .map(([name, type, nullable]) => `${name} ${SQL_TYPES[type]}${nullable === undefined ? ' not null' : ''}`)
    .join(', ');
}

/** Arguments of the writer of each type. Types that are never sent in rows are omitted. */
interface Arguments {
  bool: [value: boolean];
  int2: [value: number];
  int4: [value: number];
  /** The two halves of the number. */
  int8: [high: number, low: number];
  float8: [value: number];
  bytea: [value: Uint8Array];
  text: [value: string];
  ctext: [value: string];
  /** Text of JSON. */
  jsonb: [json: string];
  /** Microseconds since 2000-01-01 UTC, from the halves of an int8. */
  timestamptz: [high: number, low: number];
  int2Array: [values: ArrayLike<number>, count?: number];
  int4Array: [values: ArrayLike<number>, count?: number];
  textArray: [values: readonly string[]];
}

type ArgumentsOf<Column> = Column extends readonly [string, infer Type extends keyof Arguments, 'nullable']
  ? Arguments[Type] | [nothing: null]
  : Column extends readonly [string, infer Type extends keyof Arguments]
    ? Arguments[Type]
    : never;

/** A row with these columns left to write; has a method for the first one. */
export type Row<Columns> = Columns extends readonly [
  infer First extends StagedColumn,
  ...infer Rest extends readonly StagedColumn[],
]
  ? { readonly [Name in First[0]]: (...value: ArgumentsOf<First>) => Row<Rest> }
  : // biome-ignore lint/suspicious/noConfusingVoidType: the last column gives nothing back.
    void;

const WRITERS: { readonly [Type in keyof Arguments]: (rows: CopyRows, ...value: Arguments[Type]) => void } = {
  bool: (rows, value) => rows.bool(value),
  int2: (rows, value) => rows.int2(value),
  int4: (rows, value) => rows.int4(value),
  int8: (rows, high, low) => rows.int8(high, low),
  float8: (rows, value) => rows.float8(value),
  bytea: (rows, value) => rows.bytea(value),
  text: (rows, value) => rows.text(value),
  ctext: (rows, value) => rows.text(value),
  jsonb: (rows, json) => rows.jsonb(json),
  timestamptz: (rows, high, low) => rows.int8(high, low),
  int2Array: (rows, values, count) => rows.int2Array(values, count),
  int4Array: (rows, values, count) => rows.int4Array(values, count),
  textArray: (rows, values) => rows.textArray(values),
};

/** Writes rows of one table into a buffer, in the binary format of COPY. */
export class StagedRows<Columns extends readonly StagedColumn[] = readonly StagedColumn[]> {
  readonly table: StagedTable<Columns>;
  readonly copy = new CopyRows();
  readonly #cursor: Cursor;

  constructor(table: StagedTable<Columns>) {
    this.table = table;
    this.#cursor = new (cursorOf(table))(this.copy);
  }

  /**
   * Begins a row: call all its columns in order.
   * @throws Error if the previous row is incomplete
   */
  begin(): Row<Columns> {
    const cursor = this.#cursor;
    this.#expectWhole();
    cursor.missing = this.table.columns.length;
    this.copy.row(this.table.columns.length);
    return cursor as unknown as Row<Columns>;
  }

  /** @returns the rows as one COPY, and starts again @throws Error in the middle of a row */
  take(): Buffer {
    this.#expectWhole();
    return this.copy.take();
  }

  #expectWhole(): void {
    if (this.#cursor.missing === 0) return;
    throw new Error(`a row of ${this.table.name} lacks its last ${this.#cursor.missing} columns`);
  }
}

/** The position of a writer in its row. Each table has its own class, with a method for each column. */
class Cursor {
  readonly rows: CopyRows;
  missing = 0;

  constructor(rows: CopyRows) {
    this.rows = rows;
  }
}

const classes = new WeakMap<StagedTable, typeof Cursor>();

function cursorOf(table: StagedTable): typeof Cursor {
  let made = classes.get(table);
  if (made === undefined) {
    made = class extends Cursor {};
    for (const [name, type] of table.columns) {
      if (type in WRITERS)
        Object.defineProperty(made.prototype, name, { value: methodOf(type as keyof Arguments) });
    }
    classes.set(table, made);
  }
  return made;
}

function methodOf(type: keyof Arguments) {
  const write = WRITERS[type] as (rows: CopyRows, first: unknown, second: unknown) => void;
  return function (this: Cursor, first: unknown, second: unknown): Cursor {
    this.missing--;
    if (first === null) this.rows.null();
    else write(this.rows, first, second);
    return this;
  };
}
