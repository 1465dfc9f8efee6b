/** Rows of acceptances that tests read, hold back and reset. */
import type pg from 'pg';
import { vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: rows of many shapes.
type Json = any;

const WAITING_FOR_THE_CLOCK =
  "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%publication_clock%' and datname = current_database()";

export class AcceptanceRows {
  readonly #pool: () => pg.Pool;

  /** @param pool is called only inside tests */
  constructor(pool: () => pg.Pool) {
    this.#pool = pool;
  }

  sql = async (text: string, values: readonly unknown[] = []): Promise<Json[]> =>
    (await this.#pool().query(text, [...values])).rows;

  /** The acceptance of a finding. */
  state = (id: number): Promise<Json[]> =>
    this.sql(
      'select status, accepted_until, accepted_by, approved_by, accepted_reason from finding where id = $1',
      [id],
    );

  /** Findings that are not closed. @param environment pattern of its id */
  open = (environment = '%'): Promise<Json[]> =>
    this.sql(
      'select id from finding where deleted_at is null and part_of_id is null and environment_id like $1 order by id',
      [environment],
    );

  /** Fields of the entries of the audit log. */
  entries = async (action: string): Promise<Json[]> =>
    (await this.sql('select fields from audit_log where action = $1 order by id', [action])).map(
      ({ fields }) => fields,
    );

  async empty(): Promise<void> {
    for (const table of ['acceptance_request', 'bulk_change', 'mention', 'audit_log'])
      await this.sql(`delete from ${table}`);
    await this.sql(`update finding set status = 'active', accepted_until = null, accepted_by = null, accepted_reason = null,
      accepted_through = null, approved_by = null where deleted_at is null`);
  }

  /** Does the work while something that was started waits for the publication clock. @returns the message of its error */
  async whileWaiting(start: () => Promise<unknown>, work: () => Promise<unknown>): Promise<string> {
    const client = await this.#pool().connect();
    try {
      await client.query('begin');
      await client.query('select from publication_clock for update');
      const started = start().then(
        () => 'approved',
        (error: Error) => error.message,
      );
      await vi.waitUntil(async () => (await this.sql(WAITING_FOR_THE_CLOCK)).length > 0, {
        timeout: 100_000,
      });
      await work();
      await client.query('rollback');
      return await started;
    } finally {
      client.release();
    }
  }
}
