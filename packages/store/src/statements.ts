/** A thing that takes the text of a statement: a connection, or a transaction of Kysely. */
import { CompiledQuery } from 'kysely';
import type { QueryResultRow } from 'pg';
import type { Db } from './database.ts';

export interface Statements {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>;
}

/** So that what reads over a connection also reads in a transaction of Kysely. */
export function statementsOn(db: Db): Statements {
  return {
    query: <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
      db.executeQuery<Row>(CompiledQuery.raw(text, values)),
  };
}
