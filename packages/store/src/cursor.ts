/** Rows of one statement in batches, read on demand: one query plan, one snapshot, bounded memory. */
import type pg from 'pg';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * Keeps a connection of the pool until the last row is read or the reader stops.
 * @param settings set with `set local` for the transaction, if the planner lacks information
 */
export async function* cursorRows<Row extends object>(
  pool: pg.Pool,
  { sql, parameters }: Statement,
  batchRows: number,
  settings: readonly string[] = [],
): AsyncGenerator<readonly Row[]> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    await client.query('begin isolation level repeatable read read only');
    for (const setting of settings) await client.query(`set local ${setting}`);
    await client.query(`declare batches no scroll cursor for ${sql}`, [...parameters]);
    for (;;) {
      const { rows } = await client.query<Row>(`fetch ${batchRows} from batches`);
      if (rows.length > 0) yield rows;
      if (rows.length < batchRows) break;
    }
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await client.query('rollback').catch((error) => {
      failure ??= error;
    });
    client.release(failure instanceof Error ? failure : undefined);
  }
}
