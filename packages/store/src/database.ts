/** The connection to PostgreSQL, embedded or elsewhere: one pool, and Kysely over it. */

import { connectionToRunning, DirectoryInUseError, type EmbeddedLog, EmbeddedPostgres } from '@clew/embedded';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';
import { typeParsers } from './typeParsers.ts';

export type { EmbeddedLog as DatabaseLog } from '@clew/embedded';

/** Kysely over the schema: what repositories take. A transaction is one, too. */
export type Db = Kysely<Schema>;

/** How to reach the database; plain data, so it can be handed to a thread. */
export type ConnectionConfig = pg.ClientConfig;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** For connections outside the pool: COPY, LISTEN, worker threads. */
  readonly connection: ConnectionConfig;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** Default 20. */
  readonly maxConnections?: number;
  readonly applicationName?: string;
}

/** Opens a pool on a server that is running. */
export function connectDatabase(
  connection: ConnectionConfig,
  log: EmbeddedLog,
  options: PoolOptions = {},
): Database {
  const config = withSessionSettings(connection, options.applicationName ?? 'clew');
  const pool = new pg.Pool({
    ...config,
    types: typeParsers,
    max: options.maxConnections ?? 20,
    idleTimeoutMillis: 60_000,
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'lost an idle database connection'));
  // One in use fails the query of its user; the event comes on top of that.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, connection: config, close: () => db.destroy() };
}

export interface OpenOptions extends PoolOptions {
  /** Of a server elsewhere; without it the embedded one is started. */
  readonly databaseUrl?: string;
  readonly dataDirectory: string;
  readonly log: EmbeddedLog;
}

/**
 * Starts the embedded database unless an address of another is given, and opens a pool on it. `close` ends both.
 * @throws DirectoryInUseError when another Clew uses the data directory
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  if (options.databaseUrl !== undefined) {
    return connectDatabase({ connectionString: options.databaseUrl }, options.log, options);
  }
  const server = await EmbeddedPostgres.start({ directory: options.dataDirectory, log: options.log });
  const database = connectDatabase(server.connection, options.log, options);
  return {
    ...database,
    close: async () => {
      await database.close();
      await server.stop();
    },
  };
}

/**
 * As `openDatabase`, for help from outside: beside a service that uses the data directory now, through its database.
 * @returns whether a service is running on it, too
 */
export async function openDatabaseBeside(
  options: OpenOptions,
): Promise<{ readonly database: Database; readonly isShared: boolean }> {
  try {
    return { database: await openDatabase(options), isShared: options.databaseUrl !== undefined };
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error;
    const connection = await connectionToRunning(options.dataDirectory);
    return { database: connectDatabase(connection, options.log, options), isShared: true };
  }
}

const SESSION_SETTINGS = '-c TimeZone=UTC -c DateStyle=ISO';

/** Every session uses UTC, so that times read the same everywhere. */
function withSessionSettings(connection: ConnectionConfig, applicationName: string): ConnectionConfig {
  const given = connection.options ?? '';
  return {
    ...connection,
    application_name: applicationName,
    options: given.includes(SESSION_SETTINGS) ? given : `${given} ${SESSION_SETTINGS}`.trim(),
    connectionTimeoutMillis: 15_000,
    keepAlive: true,
  };
}
