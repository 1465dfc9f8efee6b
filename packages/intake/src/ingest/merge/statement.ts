/** Runs the statements of a merge and counts their changes. */
import type pg from 'pg';
import { WrittenRows } from './writtenRows.ts';

/** All steps of a merge are one transaction, in the session that has its staging tables. */
export class MergeSession {
  readonly client: pg.ClientBase;
  /**
   * Nodes and edge sets, tracked individually, because a job with one object in several batches may change a row
   * and restore it later.
   */
  readonly written: WrittenRows;
  /** Number of other fact rows that were added, changed or removed. Times of sightings do not count. */
  changes = 0;

  constructor(client: pg.ClientBase) {
    this.client = client;
    this.written = new WrittenRows(client);
  }

  /** Runs a statement that changes facts, each fact at most once per job. */
  async change(text: string, values: unknown[] = []): Promise<void> {
    this.changes += (await this.client.query(text, values)).rowCount ?? 0;
  }

  /** Runs any other statement. */
  async run(text: string, values: unknown[] = []): Promise<void> {
    await this.client.query(text, values);
  }

  /** @returns the number of rows that the statement wrote or deleted, which are not facts */
  async count(text: string, values: unknown[] = []): Promise<number> {
    return (await this.client.query(text, values)).rowCount ?? 0;
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }
}
