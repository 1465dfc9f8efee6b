/**
 * The two engines that keep the state of a connector: a file (SQLite, built into Node) and PostgreSQL. Both accept the same
 * statements: parameters `$1`, `$2`, texts and numbers only, `on conflict`.
 */
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Statements {
  run(statement: string, values?: readonly SqlValue[]): Promise<void>;
  rows<Row = SqlRow>(statement: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
}

export interface SqlEngine extends Statements {
  /** Committed to disk completely when it resolves, or not at all. One at a time. */
  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** The state is damaged, or another connector uses it. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

export interface OpenOptions {
  /** Read-only, next to a running connector. */
  readonly readOnly?: boolean;
}

/**
 * A file that only one process at a time may change. @throws StateError if another process uses it, or it is damaged
 */
export function openFile(path: string, { readOnly = false }: OpenOptions = {}): SqlEngine {
  if (!readOnly) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  else if (!existsSync(path))
    throw new StateError(`no state found in ${path}: the connector has not run yet`);
  const lock = readOnly ? undefined : takeLock(path);
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly });
    // It contains data of findings.
    if (!readOnly) chmodSync(path, 0o600);
    if (!readOnly) database.exec('pragma journal_mode = wal; pragma synchronous = full;');
    const [{ quick_check: verdict }] = database.prepare('pragma quick_check').all() as [
      { quick_check: string },
    ];
    if (verdict !== 'ok') throw new Error(verdict);
  } catch (error) {
    lock?.close();
    if (isFull(error)) throw new StateError(fullAdvice(path));
    throw new StateError(
      `the state in ${path} is damaged (${(error as Error).message}): restore a copy, or move the file to deliver all findings again`,
    );
  }
  const orAdvice = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw isFull(error) ? new StateError(fullAdvice(path)) : error;
    }
  };
  const statements: Statements = {
    run: async (statement, values = []) => {
      orAdvice(() => database.prepare(statement).run(named(values)));
    },
    rows: async <Row>(statement: string, values: readonly SqlValue[] = []) =>
      database.prepare(statement).all(named(values)) as unknown as readonly Row[],
  };
  return {
    ...statements,
    async transaction(work) {
      orAdvice(() => database.exec('begin immediate'));
      try {
        const result = await work(statements);
        orAdvice(() => database.exec('commit'));
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('rollback');
        throw error;
      }
    },
    async close() {
      database.close();
      lock?.close();
    },
  };
}

/** SQLITE_FULL. */
const isFull = (error: unknown): boolean => Object(error).errcode === 13;

const fullAdvice = (path: string): string =>
  `the disk with the state in ${path} is full: free space there, and run the connector again. Nothing is lost: data that was not stored is read again`;

/** Held until the file is closed or its process ends in any way. */
function takeLock(path: string): DatabaseSync {
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    return lock;
  } catch {
    lock.close();
    throw new StateError(`another connector uses the state in ${path}`);
  }
}

/** SQLite treats `$1` as a name. */
const named = (values: readonly SqlValue[]): Record<string, SqlValue> =>
  Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value]));

/** Name of the lock of a schema: no two connectors use the same one. */
const LOCK = 'clew connector';

/**
 * @returns an error with the remedy if the server has no space or memory (`disk_full`, `out_of_memory`); other errors
 * unchanged
 */
export function databaseFault(error: unknown, schema: string): unknown {
  const { code } = Object(error) as { code?: unknown };
  if (code !== '53100' && code !== '53200') return error;
  const what = code === '53100' ? 'disk' : 'memory';
  return new StateError(
    `the ${what} of the state database (schema ${schema}) is full: free space there, and run the connector again. Nothing is lost: data that was not stored is read again`,
  );
}

/**
 * Opens a schema of a PostgreSQL server, and creates it if it is missing.
 * @throws StateError if another connector uses it
 */
export async function openPostgres(
  url: string,
  schema: string,
  { readOnly = false }: OpenOptions = {},
): Promise<SqlEngine> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new StateError(`"${schema}" is not a valid schema name`);
  // Loaded on use, because most connectors use a file.
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // A broken connection fails the statement that uses it.
  client.on('error', () => {});
  await client.connect().catch((error: Error) => {
    throw new StateError(`the state database cannot be reached: ${error.message}`);
  });
  try {
    if (!readOnly) {
      const { rows } = await client.query(
        'select pg_try_advisory_lock(hashtext($1), hashtext($2)) as taken',
        [LOCK, schema],
      );
      if (rows[0].taken !== true)
        throw new StateError(`another connector uses the state in schema ${schema}`);
      await client.query(`create schema if not exists ${schema}`);
    }
    await client.query(`set search_path to ${schema}`);
  } catch (error) {
    await client.end();
    throw error;
  }
  const query = (statement: string, values: readonly SqlValue[] = []) =>
    client.query(statement, [...values]).catch((error: unknown) => {
      throw databaseFault(error, schema);
    });
  const statements: Statements = {
    run: async (statement, values) => void (await query(statement, values)),
    rows: async <Row>(statement: string, values?: readonly SqlValue[]) =>
      (await query(statement, values)).rows as readonly Row[],
  };
  return {
    ...statements,
    async transaction(work) {
      await client.query('begin');
      try {
        const result = await work(statements);
        await query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      }
    },
    close: () => client.end(),
  };
}
