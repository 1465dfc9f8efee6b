/** Runs the text of a statement: a connection, or a transaction of Kysely. */
import { CompiledQuery } from 'kysely';
import type { QueryResultRow } from 'pg';
import type { Db } from './database.ts';

export interface Statements {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>;
}

/** Allows code that reads over a connection to read in a transaction of Kysely, too. */
export function statementsOn(db: Db): Statements {
  return {
    query: <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
      db.executeQuery<Row>(CompiledQuery.raw(text, values)),
  };
}
