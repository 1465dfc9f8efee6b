/**
 * Temporary tables that receive the facts of a job's files by COPY, until they are merged into the store. They
 * belong to the session that merges. If the session dies, they disappear, and the next attempt starts clean.
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
  /** Whether the owner is described in the same record. */
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
  /** Null for all sources. */
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

/** Truncated after each batch. */
const BATCH_TABLES = {
  /** First description of each object in the batch. */
  node: stagedTable('stage_node', [...NODE_COLUMNS, ['cleared', 'textArray', 'nullable']]),
  /** Further descriptions, in order; cleared keys are nulls in `properties`. */
  nodeAgain: stagedTable('stage_node_again', [...NODE_COLUMNS, ['sequence', 'int4']]),
  /** Objects that are new to the job or have new kinds: from mentions (`kinds`) or descriptions (`stated`). */
  mention: stagedTable('stage_mention', [
    ['id', 'int4'],
    ['origin', 'int4'],
    ['kinds', 'int2Array'],
    /** Kinds from descriptions. */
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
  /** Mentioned objects that exist in the store. */
  known: stagedTable('stage_known', [['id', 'int4']]),
  /** Sets to merge from several parts, and the results. */
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

/** Kept until the end of the job. */
const JOB_TABLES = {
  /**
   * Files: source, collection time, whether a scheduled collector sent it, arrival time, and whether it names its
   * methods.
   */
  origin: stagedTable('stage_origin', [
    ['origin', 'int4'],
    ['source_id', 'int2'],
    ['observed_at', 'timestamptz'],
    ['by_schedule', 'bool'],
    ['seen_at', 'timestamptz'],
    /** Whether the file states what its run collected. */
    ['names_methods', 'bool'],
  ]),
  /** All descriptions. Bit n of `aspects`: the collector enumerated aspect n. */
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
  /** Properties of objects that are only mentioned. */
  hint: stagedTable('stage_hint', [
    ['id', 'int4'],
    ['origin', 'int4'],
    ['environment_id', 'int4', 'nullable'],
    ['properties', 'jsonb'],
    ['sequence', 'int4'],
  ]),
  /** Sets that were added before any set replaced the stored one. */
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
  /** Edges with an end that is matched by properties. */
  matched: stagedTable('stage_matched', [
    ['sequence', 'int4'],
    // Null if both ends are matched by properties; set to the start once it is resolved.
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
  /**
   * Bit n: aspect n was found empty, and the empty set counts (`said`) or not (`unsaid`); see
   * `staging/openSets.ts`.
   */
  leftOpen: stagedTable('stage_left_open', [
    ['id', 'int4'],
    ['source_id', 'int2'],
    ['said', 'int8'],
    ['unsaid', 'int8'],
  ]),
  /**
   * Number of relationships of stored sets by kind that the job removes, minus the number that it adds to the same
   * set.
   */
  fewer: stagedTable('stage_fewer', [
    ['owner_id', 'int4'],
    ['aspect', 'int2'],
    ['source_id', 'int2'],
    ['kind_id', 'int2'],
    ['fewer', 'int4'],
    ['names_methods', 'bool'],
  ]),
  /** Sets of skipped records that are dated by their file. */
  dated: stagedTable('stage_dated', [
    ['owner_id', 'int4'],
    ['aspect', 'int2'],
    ['source_id', 'int2'],
    ['origin', 'int4'],
  ]),
  /** Facets of the records that were read. */
  readRecord: stagedTable('stage_read_record', TOUCH_COLUMNS),
  /** Facets that several of these records describe. */
  sharedRecord: stagedTable('stage_shared_record', TOUCH_COLUMNS),
  /** Records to remember, after records with the same facts were deleted. */
  record: stagedTable('stage_record', RECORD_COLUMNS),
  deleted: stagedTable('stage_deleted', [['id', 'int4']]),
  /** Rows that the merge wrote, and owners of written edge sets (`merge/writtenRows.ts`); may repeat. */
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
    /** Kinds from descriptions. */
    ['stated', 'int2Array'],
  ]),
} as const;

const TABLES = { ...BATCH_TABLES, ...JOB_TABLES };

/** Tables of the store itself, for rows that cannot exist there yet. Never truncated here. */
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

/** Also written directly, but does not count as facts. */
const MEMORY_TABLES = { newRecord: stagedTable('known_record', RECORD_COLUMNS) } as const;

const namesOf = (tables: Readonly<Record<string, StagedTable>>): string =>
  Object.values(tables)
    .map(({ name }) => name)
    .join(', ');

/** Truncates the batch tables after a merge. */
export const CLEAR_BATCH = `truncate ${namesOf(BATCH_TABLES)}`;

const ALL_TABLES = { ...TABLES, ...STORE_TABLES, ...MEMORY_TABLES };

type Tables = typeof ALL_TABLES;
export type StagingTable = keyof Tables;
export type RowsOf<Table extends StagingTable> = StagedRows<Tables[Table]['columns']>;

/** Approximate size at which rows are sent. */
const FLUSH_BYTES = 1024 * 1024;
/** Maximum bytes of pending rows before the reader has to wait: about those read while one batch is merged. */
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
   * Creates the tables, or truncates those of the session's previous job.
   * @param client a dedicated session, outside a transaction
   */
  static async create(client: pg.ClientBase): Promise<StagingTables> {
    const tables = Object.values(TABLES).map(
      (table) => `create temporary table if not exists ${table.name} (${columnList(table)});`,
    );
    await client.query(`${tables.join('\n')}\ntruncate ${namesOf(TABLES)}`);
    return new StagingTables(client);
  }

  /** Number of rows written directly to tables of the store. */
  get storedRows(): number {
    return this.#storedRows;
  }

  /** Returns the writer for the rows of a table; call `written` regularly. */
  rows<Table extends StagingTable>(table: Table): RowsOf<Table> {
    const rows = getOrMake(
      this.#rows,
      table,
      () => new StagedRows<readonly StagedColumn[]>(ALL_TABLES[table]),
    );
    return rows as unknown as RowsOf<Table>;
  }

  /** Sends rows of tables that are large enough. Waits only if too many rows are in transit. */
  async written(): Promise<void> {
    for (const rows of this.#rows.values()) if (rows.copy.byteCount >= FLUSH_BYTES) this.#send(rows);
    if (this.#pendingBytes > MAX_PENDING_BYTES) await this.#sending;
  }

  /** Runs `work` in the session after all rows that were sent. */
  run(work: (client: pg.ClientBase) => Promise<void>): void {
    this.#sending = this.#sending.then(() => work(this.#client));
    // The error is thrown by the next `written` or `flush`.
    this.#sending.catch(() => {});
  }

  /** Runs `work` once the server has all rows written so far; later rows are sent after it. */
  runAfterRows(work: (client: pg.ClientBase) => Promise<void>): void {
    for (const rows of this.#rows.values()) if (rows.copy.rowCount > 0) this.#send(rows);
    this.run(work);
  }

  /** Sends all rows and waits until the server has received them. */
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
      // A broken connection causes two errors on the stream; the second one is ignored.
      stream.on('error', () => {});
      stream.end(bytes);
      await finished;
      this.#pendingBytes -= bytes.length;
      rows.copy.giveBack(bytes);
    });
  }
}
