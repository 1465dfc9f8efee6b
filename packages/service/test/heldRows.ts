/** Rows that an open transaction locks, for tests of requests that wait for them. */
import type { Pool, PoolClient } from 'pg';
import { vi } from 'vitest';

export class HeldRows {
  readonly #pool: Pool;
  readonly #client: PoolClient;

  private constructor(pool: Pool, client: PoolClient) {
    this.#pool = pool;
    this.#client = client;
  }

  /** @param query selects the rows `for update` */
  static async hold(pool: Pool, query: string, values: readonly unknown[]): Promise<HeldRows> {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(query, [...values]);
    return new HeldRows(pool, client);
  }

  /** Waits until this number of statements wait for locks. */
  async untilWaiting(count: number): Promise<void> {
    const waiting = async () =>
      (await this.#pool.query('select from pg_locks where not granted')).rows.length;
    await vi.waitUntil(async () => (await waiting()) === count, { timeout: 30_000, interval: 20 });
  }

  async release(): Promise<void> {
    await this.#client.query('rollback');
    this.#client.release();
  }
}
