/** Runs the statements of a merge and counts their changes. */
import type pg from 'pg';
import { WrittenRows } from './writtenRows.ts';

/** All steps of a job's merge are one transaction, on the session that holds its staging tables. */
export class MergeSession {
  readonly client: pg.ClientBase;
  /** Nodes and edge sets: those of a job that says one object in several batches may be written back and forth. */
  readonly written: WrittenRows;
  /** Other rows of facts that were written, changed or removed. Times of sighting do not count. */
  changes = 0;

  constructor(client: pg.ClientBase) {
    this.client = client;
    this.written = new WrittenRows(client);
  }

  /** A statement that changes facts, and each of them once in a job. */
  async change(text: string, values: unknown[] = []): Promise<void> {
    this.changes += (await this.client.query(text, values)).rowCount ?? 0;
  }

  /** Any other statement. */
  async run(text: string, values: unknown[] = []): Promise<void> {
    await this.client.query(text, values);
  }

  /** @returns how many rows the statement wrote or removed, which are not facts */
  async count(text: string, values: unknown[] = []): Promise<number> {
    return (await this.client.query(text, values)).rowCount ?? 0;
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }
}
