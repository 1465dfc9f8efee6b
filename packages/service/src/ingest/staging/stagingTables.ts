/**
 * Staging: temporary tables that take in what the files of one job say, by COPY, until one merge brings it into the
 * store. They belong to the session that merges: when it dies they are gone, and the next attempt begins clean.
 */
import { once } from 'node:events';
import { CopyRows } from '@clew/store';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const SET =
  'owner_id integer not null, aspect smallint not null, source_id smallint not null, origin integer not null, ' +
  'replaces boolean not null, own boolean not null, sequence integer not null, start_ids integer[] not null, ' +
  'kind_ids smallint[] not null, end_ids integer[] not null, flags smallint[] not null, properties jsonb';
const NODE =
  'id integer not null, origin integer not null, emptied bigint not null, environment_id integer, properties jsonb not null';

/** Emptied after each batch. */
const BATCH_TABLES = {
  /** First description of each object in the batch. Bit n of `emptied`: the collector found aspect n empty. */
  stage_node: `${NODE}, cleared text[]`,
  /** Further descriptions, in order; cleared keys are nulls in `properties`. */
  stage_node_again: `${NODE}, sequence integer not null`,
  /** Objects that are new to the job, or were given further kinds. */
  stage_mention: 'id integer not null, origin integer not null, kinds smallint[] not null',
  /** First set of each (owner, aspect, source) in the batch. `own`: the owner is described in the same record. */
  stage_set: SET,
  /** Further sets, in order. */
  stage_set_again: SET,
  /** Aspects found empty whose owner is not described in the same record. */
  stage_emptied: 'owner_id integer not null, aspect smallint not null, source_id smallint not null',
  /** Of the objects mentioned, those the store has. */
  stage_known: 'id integer not null',
  /** Sets of which several parts are united, and what comes of it. */
  stage_shared:
    'owner_id integer not null, aspect smallint not null, source_id smallint not null, replaces boolean not null, origin integer not null, own boolean not null',
  stage_united: SET,
} as const;

/** Kept to the end of the job. */
const JOB_TABLES = {
  /** The files: who says it, when it was seen, and whether a collector sent it by itself. */
  stage_origin:
    'origin integer not null, source_id smallint not null, observed_at timestamptz not null, by_schedule boolean not null',
  /** Every description. Bit n of `aspects`: the collector enumerated aspect n. */
  stage_described: 'id integer not null, origin integer not null, aspects bigint not null',
  /** Which objects were seen in which file. */
  stage_seen: 'id integer not null, origin integer not null',
  /** Properties of objects named in passing. */
  stage_hint:
    'id integer not null, environment_id integer, properties jsonb not null, sequence integer not null',
  /** Sets that were only added while nothing replaced the rest. */
  stage_added: SET,
  /** Sets that wait for their matched edges. */
  stage_held: SET,
  stage_sample:
    'start_id integer not null, kind_id smallint not null, end_id integer not null, source_id smallint not null, owner_id integer not null, origin integer not null, flags smallint not null, properties jsonb, sequence integer not null',
  /** Edges with an end that is known by its properties. */
  stage_matched:
    'sequence integer not null, owner_id integer not null, aspect smallint not null, source_id smallint not null, origin integer not null, kind_id smallint not null, flags smallint not null, properties jsonb, create_missing boolean not null, object_index integer not null, start_id integer, start_matcher jsonb, end_id integer, end_matcher jsonb',
  stage_deleted: 'id integer not null',
} as const;

const TABLES = { ...BATCH_TABLES, ...JOB_TABLES };

/** Empties the tables of a batch that was merged. */
export const CLEAR_BATCH = `truncate ${Object.keys(BATCH_TABLES).join(', ')}`;

export type StagingTable = keyof typeof TABLES;

/** Rows are sent in pieces of about this size. */
const FLUSH_BYTES = 1024 * 1024;
/** Rows waiting to be sent before the reader has to wait: what is read while one batch is merged. */
const MAX_PENDING_BYTES = 48 * 1024 * 1024;

export class StagingTables {
  readonly #client: pg.ClientBase;
  readonly #rows = new Map<StagingTable, CopyRows>();
  #sending: Promise<void> = Promise.resolve();
  #pendingBytes = 0;

  private constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /**
   * Makes the tables, or empties those of the session's job before.
   * @param client a session of the caller's own, in no transaction
   */
  static async create(client: pg.ClientBase): Promise<StagingTables> {
    const tables = Object.entries(TABLES).map(
      ([name, columns]) => `create temporary table if not exists ${name} (${columns});`,
    );
    await client.query(`${tables.join('\n')}\ntruncate ${Object.keys(TABLES).join(', ')}`);
    return new StagingTables(client);
  }

  /** Where to write the rows of a table; call `written` now and then. */
  rows(table: StagingTable): CopyRows {
    let rows = this.#rows.get(table);
    if (rows === undefined) {
      rows = new CopyRows();
      this.#rows.set(table, rows);
    }
    return rows;
  }

  /** Sends rows of tables that have gathered enough. Waits only while too many are on their way. */
  async written(): Promise<void> {
    for (const [table, rows] of this.#rows) if (rows.byteCount >= FLUSH_BYTES) this.#send(table, rows);
    if (this.#pendingBytes > MAX_PENDING_BYTES) await this.#sending;
  }

  /** Runs `work` on the session after all rows that were sent. */
  run(work: (client: pg.ClientBase) => Promise<void>): void {
    this.#sending = this.#sending.then(() => work(this.#client));
    // Told by the next `written` or `flush`.
    this.#sending.catch(() => {});
  }

  /** Runs `work` when the server has all rows written so far; what is written from now on comes after it. */
  runAfterRows(work: (client: pg.ClientBase) => Promise<void>): void {
    for (const [table, rows] of this.#rows) if (rows.rowCount > 0) this.#send(table, rows);
    this.run(work);
  }

  /** Sends all rows and waits until the server has them. */
  async flush(): Promise<void> {
    for (const [table, rows] of this.#rows) if (rows.rowCount > 0) this.#send(table, rows);
    await this.#sending;
  }

  #send(table: StagingTable, rows: CopyRows): void {
    const bytes = rows.take();
    this.#pendingBytes += bytes.length;
    this.run(async (client) => {
      const stream = client.query(copyFrom(`copy ${table} from stdin (format binary)`));
      const finished = once(stream, 'finish');
      // A broken connection is told to the stream twice; once is enough.
      stream.on('error', () => {});
      stream.end(bytes);
      await finished;
      this.#pendingBytes -= bytes.length;
      rows.giveBack(bytes);
    });
  }
}
