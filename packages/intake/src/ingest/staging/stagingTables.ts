/**
 * Staging: temporary tables that receive the facts of the files of one job, by COPY, until one merge brings them into the store.
 * They belong to the session that merges: they are deleted when it dies, and the next attempt starts clean.
 */
import { once } from 'node:events';
import { getOrMake } from '@clew/graph';
import {
  columnList,
  STORE_SET,
  type StagedColumn,
  StagedRows,
  type StagedTable,
  stagedTable,
} from '@clew/store';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const SET_COLUMNS = [
  ['owner_id', 'int4'],
  ['aspect', 'int2'],
  ['source_id', 'int2'],
  ['origin', 'int4'],
  ['replaces', 'bool'],
  /** The owner is described in the same record. */
  ['own', 'bool'],
  ['sequence', 'int4'],
  ['start_ids', 'int4Array'],
  ['kind_ids', 'int2Array'],
  ['end_ids', 'int4Array'],
  ['flags', 'int2Array'],
  ['properties', 'jsonb', 'nullable'],
] as const;

const NODE_COLUMNS = [
  ['id', 'int4'],
  ['origin', 'int4'],
  /** Bit n: the collector found aspect n empty. */
  ['emptied', 'int8'],
  ['environment_id', 'int4', 'nullable'],
  ['properties', 'jsonb'],
] as const;

const TOUCH_COLUMNS = [
  ['node_id', 'int4'],
  /** Null for all. */
  ['source_id', 'int2', 'nullable'],
  ['facets', 'int8'],
] as const;

const RECORD_COLUMNS = [
  ['node_id', 'int4'],
  ['source_id', 'int2'],
  ['facets', 'int8'],
  ['digest', 'bytea'],
  ['parts', 'int2'],
  ['aspects', 'int8', 'nullable'],
  ['seen', 'int4Array', 'nullable'],
  ['samples', 'int4Array', 'nullable'],
  ['dated', 'int4Array', 'nullable'],
] as const;

/** Emptied after each batch. */
const BATCH_TABLES = {
  /** First description of each object in the batch. */
  node: stagedTable('stage_node', [...NODE_COLUMNS, ['cleared', 'textArray', 'nullable']]),
  /** Further descriptions, in order; cleared keys are nulls in `properties`. */
  nodeAgain: stagedTable('stage_node_again', [...NODE_COLUMNS, ['sequence', 'int4']]),
  /** Objects that are new to the job, or were given further kinds: by mentions (`kinds`), by descriptions (`stated`). */
  mention: stagedTable('stage_mention', [
    ['id', 'int4'],
    ['origin', 'int4'],
    ['kinds', 'int2Array'],
    /** Given by descriptions. */
    ['stated', 'int2Array'],
  ]),
  /** First set of each (owner, aspect, source) in the batch. */
  set: stagedTable('stage_set', SET_COLUMNS),
  /** Further sets, in order. */
  setAgain: stagedTable('stage_set_again', SET_COLUMNS),
  /** Aspects found empty whose owner is not described in the same record. */
  emptied: stagedTable('stage_emptied', [
    ['owner_id', 'int4'],
    ['aspect', 'int2'],
    ['source_id', 'int2'],
  ]),
  /** The mentioned objects that the store has. */
  known: stagedTable('stage_known', [['id', 'int4']]),
  /** Sets of which several parts are united, and the results. */
  shared: stagedTable('stage_shared', [
    ['owner_id', 'int4'],
    ['aspect', 'int2'],
    ['source_id', 'int2'],
    ['replaces', 'bool'],
    ['origin', 'int4'],
    ['own', 'bool'],
  ]),
  united: stagedTable('stage_united', SET_COLUMNS),
} as const;

/** Kept to the end of the job. */
const JOB_TABLES = {
  /** The files: who says it, when it was collected, whether a collector sent it by itself, when it came, and whether it names its methods. */
  origin: stagedTable('stage_origin', [
    ['origin', 'int4'],
    ['source_id', 'int2'],
    ['observed_at', 'timestamptz'],
    ['by_schedule', 'bool'],
    ['seen_at', 'timestamptz'],
    /** The file says what its run collected. */
    ['names_methods', 'bool'],
  ]),
  /** Every description. Bit n of `aspects`: the collector enumerated aspect n. */
  described: stagedTable('stage_described', [
    ['id', 'int4'],
    ['origin', 'int4'],
    ['aspects', 'int8'],
  ]),
  /** Which objects were seen in which file. */
  seen: stagedTable('stage_seen', [
    ['id', 'int4'],
    ['origin', 'int4'],
  ]),
  /** Properties of objects named in passing. */
  hint: stagedTable('stage_hint', [
    ['id', 'int4'],
    ['environment_id', 'int4', 'nullable'],
    ['properties', 'jsonb'],
    ['sequence', 'int4'],
  ]),
  /** Sets that were only added while nothing replaced the rest. */
  added: stagedTable('stage_added', SET_COLUMNS),
  /** Sets that wait for their matched edges. */
  held: stagedTable('stage_held', SET_COLUMNS),
  sample: stagedTable('stage_sample', [
    ['start_id', 'int4'],
    ['kind_id', 'int2'],
    ['end_id', 'int4'],
    ['source_id', 'int2'],
    ['owner_id', 'int4'],
    ['origin', 'int4'],
    ['flags', 'int2'],
    ['properties', 'jsonb', 'nullable'],
    ['sequence', 'int4'],
  ]),
  /** Edges with an end that is known by its properties. */
  matched: stagedTable('stage_matched', [
    ['sequence', 'int4'],
    // Absent where both ends are known by their properties: the start, once it is found.
    ['owner_id', 'int4', 'nullable'],
    ['aspect', 'int2'],
    ['source_id', 'int2'],
    ['origin', 'int4'],
    ['kind_id', 'int2'],
    ['flags', 'int2'],
    ['properties', 'jsonb', 'nullable'],
    ['create_missing', 'bool'],
    ['object_index', 'int4'],
    ['start_id', 'int4', 'nullable'],
    ['start_matcher', 'jsonb', 'nullable'],
    ['end_id', 'int4', 'nullable'],
    ['end_matcher', 'jsonb', 'nullable'],
  ]),
  /** Described objects without an environment, with the name of their domain. */
  unplaced: stagedTable('stage_unplaced', [
    ['id', 'int4'],
    ['origin', 'int4'],
    ['domain', 'text'],
  ]),
  /** Bit n: aspect n was found empty, which turned out to be a statement, or none (`staging/openSets.ts`). */
  leftOpen: stagedTable('stage_left_open', [
    ['id', 'int4'],
    ['source_id', 'int2'],
    ['said', 'int8'],
    ['unsaid', 'int8'],
  ]),
  /** Relationships of stored sets by kind that the job does not have again, less those that it adds to the same set. */
  fewer: stagedTable('stage_fewer', [
    ['owner_id', 'int4'],
    ['aspect', 'int2'],
    ['source_id', 'int2'],
    ['kind_id', 'int2'],
    ['fewer', 'int4'],
    ['names_methods', 'bool'],
  ]),
  /** Sets of records that were passed over and take their date from the file. */
  dated: stagedTable('stage_dated', [
    ['owner_id', 'int4'],
    ['aspect', 'int2'],
    ['source_id', 'int2'],
    ['origin', 'int4'],
  ]),
  /** Subjects of the records that were read. */
  readRecord: stagedTable('stage_read_record', TOUCH_COLUMNS),
  /** Subjects of several of them. */
  sharedRecord: stagedTable('stage_shared_record', TOUCH_COLUMNS),
  /** Records that are remembered, once those are forgotten that said the same before. */
  record: stagedTable('stage_record', RECORD_COLUMNS),
  deleted: stagedTable('stage_deleted', [['id', 'int4']]),
  /** Rows that the merge wrote, and owners of those of edge sets (`merge/writtenRows.ts`); some repeatedly. */
  writtenNode: stagedTable('stage_written_node', [['id', 'int4']]),
  writtenSet: stagedTable('stage_written_set', [['owner_id', 'int4']]),
  /** Nodes that are merged last (`merge/lateNodes.ts`), and the facts about them, ordered by `place`. */
  late: stagedTable('stage_late', [['id', 'int4']]),
  lateNode: stagedTable('stage_late_node', [
    ['place', 'int8'],
    ['id', 'int4'],
    ['origin', 'int4'],
    ['environment_id', 'int4', 'nullable'],
    /** Cleared keys are nulls. */
    ['properties', 'jsonb'],
  ]),
  lateMention: stagedTable('stage_late_mention', [
    ['place', 'int8'],
    ['id', 'int4'],
    ['origin', 'int4'],
    ['kinds', 'int2Array'],
    /** Given by descriptions. */
    ['stated', 'int2Array'],
  ]),
} as const;

const TABLES = { ...BATCH_TABLES, ...JOB_TABLES };

/** Tables of the store itself, for rows that cannot be there yet. Never emptied here. */
const STORE_TABLES = {
  newNode: stagedTable('node', [
    ['id', 'int4'],
    ['kinds', 'int2Array'],
    ['environment_id', 'int4', 'nullable'],
    ['properties', 'jsonb'],
    ['described', 'bool'],
    ['first_seen', 'timestamptz'],
  ]),
  newSet: STORE_SET,
} as const;

const STORE_NAMES: ReadonlySet<string> = new Set(Object.values(STORE_TABLES).map(({ name }) => name));

/** Written past the merge as well, but no facts. */
const MEMORY_TABLES = { newRecord: stagedTable('known_record', RECORD_COLUMNS) } as const;

const namesOf = (tables: Readonly<Record<string, StagedTable>>): string =>
  Object.values(tables)
    .map(({ name }) => name)
    .join(', ');

/** Empties the tables of a batch that was merged. */
export const CLEAR_BATCH = `truncate ${namesOf(BATCH_TABLES)}`;

const ALL_TABLES = { ...TABLES, ...STORE_TABLES, ...MEMORY_TABLES };

type Tables = typeof ALL_TABLES;
export type StagingTable = keyof Tables;
export type RowsOf<Table extends StagingTable> = StagedRows<Tables[Table]['columns']>;

/** Rows are sent in pieces of about this size. */
const FLUSH_BYTES = 1024 * 1024;
/** Rows waiting to be sent before the reader has to wait: those read while one batch is merged. */
const MAX_PENDING_BYTES = 48 * 1024 * 1024;

export class StagingTables {
  readonly #client: pg.ClientBase;
  readonly #rows = new Map<StagingTable, StagedRows>();
  #sending: Promise<void> = Promise.resolve();
  #pendingBytes = 0;
  #storedRows = 0;

  private constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /**
   * Makes the tables, or empties those of the session's job before.
   * @param client a session of the caller's own, in no transaction
   */
  static async create(client: pg.ClientBase): Promise<StagingTables> {
    const tables = Object.values(TABLES).map(
      (table) => `create temporary table if not exists ${table.name} (${columnList(table)});`,
    );
    await client.query(`${tables.join('\n')}\ntruncate ${namesOf(TABLES)}`);
    return new StagingTables(client);
  }

  /** Rows that went into tables of the store, past the merge. */
  get storedRows(): number {
    return this.#storedRows;
  }

  /** Where to write the rows of a table; call `written` now and then. */
  rows<Table extends StagingTable>(table: Table): RowsOf<Table> {
    const rows = getOrMake(
      this.#rows,
      table,
      () => new StagedRows<readonly StagedColumn[]>(ALL_TABLES[table]),
    );
    return rows as unknown as RowsOf<Table>;
  }

  /** Sends rows of tables that have gathered enough. Waits only while too many are on their way. */
  async written(): Promise<void> {
    for (const rows of this.#rows.values()) if (rows.copy.byteCount >= FLUSH_BYTES) this.#send(rows);
    if (this.#pendingBytes > MAX_PENDING_BYTES) await this.#sending;
  }

  /** Runs `work` on the session after all rows that were sent. */
  run(work: (client: pg.ClientBase) => Promise<void>): void {
    this.#sending = this.#sending.then(() => work(this.#client));
    // Thrown by the next `written` or `flush`.
    this.#sending.catch(() => {});
  }

  /** Runs `work` when the server has all rows written so far; rows written from now on come after it. */
  runAfterRows(work: (client: pg.ClientBase) => Promise<void>): void {
    for (const rows of this.#rows.values()) if (rows.copy.rowCount > 0) this.#send(rows);
    this.run(work);
  }

  /** Sends all rows and waits until the server has them. */
  async flush(): Promise<void> {
    for (const rows of this.#rows.values()) if (rows.copy.rowCount > 0) this.#send(rows);
    await this.#sending;
  }

  #send(rows: StagedRows): void {
    const { name, columns } = rows.table;
    if (STORE_NAMES.has(name)) this.#storedRows += rows.copy.rowCount;
    const target = `${name} (${columns.map(([column]) => column).join(', ')})`;
    const bytes = rows.take();
    this.#pendingBytes += bytes.length;
    this.run(async (client) => {
      const stream = client.query(copyFrom(`copy ${target} from stdin (format binary)`));
      const finished = once(stream, 'finish');
      // A broken connection reaches the stream twice; once is enough.
      stream.on('error', () => {});
      stream.end(bytes);
      await finished;
      this.#pendingBytes -= bytes.length;
      rows.copy.giveBack(bytes);
    });
  }
}
