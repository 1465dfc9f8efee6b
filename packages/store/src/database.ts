/** The connection to the embedded or an external PostgreSQL: one pool, and Kysely over it. */

import {
  connectionToRunning,
  DirectoryInUseError,
  type EmbeddedLog,
  EmbeddedPostgres,
  StartError,
} from '@clew/embedded';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { RequestPool } from './requestWork.ts';
import type { Schema } from './schema.ts';
import { ServerClient } from './serverClient.ts';
import { type ConnectionConfig, NoPrimaryError, splitServers } from './servers.ts';

export type { EmbeddedLog as DatabaseLog } from '@clew/embedded';

/** Kysely over the schema, used by repositories. A transaction is one, too. */
export type Db = Kysely<Schema>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Settings of connections outside the pool: COPY, LISTEN, worker threads. */
  readonly connection: ConnectionConfig;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** Default 20. */
  readonly maxConnections?: number;
  readonly applicationName?: string;
  /**
   * How long a statement of the pool waits for a lock. If one transaction waits for a statement of another connection, the database detects
   * no deadlock. Without a limit, both may wait forever, such as an ingest and a `vacuum full` that wait for each other.
   */
  readonly lockTimeoutMs?: number;
}

/** Opens a pool on a running server. */
export function connectDatabase(
  connection: ConnectionConfig,
  log: EmbeddedLog,
  options: PoolOptions = {},
): Database {
  const config = withConnectionSettings(connection, options.applicationName ?? 'clew');
  const canceler = new pg.Pool({ ...config, Client: ServerClient, max: 2, idleTimeoutMillis: 10_000 });
  canceler.on('error', () => {});
  const pool = new RequestPool(
    {
      ...config,
      lockTimeoutMs: options.lockTimeoutMs,
      Client: ServerClient,
      max: options.maxConnections ?? 20,
      idleTimeoutMillis: 60_000,
    },
    // A statement that cannot be canceled ends on its own.
    (processId) => void canceler.query('select pg_cancel_backend($1)', [processId]).catch(() => {}),
  );
  // A broken idle connection is replaced at the next use; without a listener it would end the process. When the service ends, connections
  // may break in any order.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, 'lost an idle database connection');
  });
  // A connection that breaks during use also fails its query.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  // Kysely ends the pool only if it has used it.
  const close = async (): Promise<void> => {
    await db.destroy();
    if (!pool.ending) await pool.end();
    await canceler.end();
  };
  return { db, pool, connection: config, close };
}

/** The configured database cannot be used; the message explains what to do, without a password. */
export class DatabaseUnavailableError extends StartError {
  override readonly name = 'DatabaseUnavailableError';
}

/** Reasons by error code of PostgreSQL (manual, appendix A) or of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved',
  ETIMEDOUT: 'the host does not respond',
  ENOENT: 'the socket of the server does not exist',
  '28000': 'the server does not allow this user to connect',
  '28P01': 'the password is wrong, or the user is unknown there',
  '3D000': 'the database does not exist: create it, owned by that user',
  '42501': 'the user cannot connect to it',
  '53300': 'the server has no free connection',
  '57P03': 'the server is starting up or shutting down',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is not trusted: set its CA with sslrootcert',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the server is not trusted: set its CA with sslrootcert',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate of the server is not trusted: set its CA with sslrootcert',
};

function unavailable(error: unknown): DatabaseUnavailableError {
  const reason = reasonOf(error as Error & { code?: string });
  return new DatabaseUnavailableError(`the database of CLEW_DATABASE_URL cannot be used: ${reason}`, {
    cause: error,
  });
}

function reasonOf(error: Error & { code?: string }): string {
  const { message, code = '' } = error;
  if (/does not support SSL/.test(message)) return 'the server does not support TLS, but sslmode requires it';
  if (error instanceof NoPrimaryError) return message;
  return REASONS[code] ?? message;
}

/** Gives `sslmode` the same meaning as in other PostgreSQL clients; without this option the driver interprets it differently. */
function withUsualTls(databaseUrl: string): string {
  if (!/[?&]sslmode=/.test(databaseUrl) || /[?&]uselibpqcompat=/.test(databaseUrl)) return databaseUrl;
  return `${databaseUrl}&uselibpqcompat=true`;
}

/** @returns the connection to an external server */
export function externalConnection(databaseUrl: string): ConnectionConfig {
  return splitServers(withUsualTls(databaseUrl));
}

/** A transaction pooler may send the next statement to a server of any of this many connections. */
const OTHER_CONNECTIONS = 3;

/**
 * Locks, notifications and temporary tables last as long as their session. A pooler that assigns a server for each transaction would lose
 * them or give them to another client.
 * @throws Error if the connection goes through such a pooler
 */
async function requireSessions(connection: ConnectionConfig): Promise<void> {
  const clients = Array.from({ length: 1 + OTHER_CONNECTIONS }, () => new ServerClient(connection));
  const [first, ...others] = clients;
  for (const client of clients) client.on('error', () => {});
  try {
    await first.connect();
    if (!first.isPooled) return;
    for (const other of others) {
      await other.connect();
      await other.query('begin');
    }
    const { rows } = await first.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0].pid !== first.backendPid)
      throw new Error(
        'a connection pooler gives a connection another session in each transaction: ' +
          'set pool_mode = session for this database in PgBouncer, or connect to PostgreSQL itself',
      );
  } finally {
    for (const client of clients) void client.end().catch(() => {});
  }
}

/** @throws DatabaseUnavailableError if it does not answer, or its user may not create tables */
async function openExternal(databaseUrl: string, options: OpenOptions): Promise<Database> {
  const connection = externalConnection(databaseUrl);
  const database = connectDatabase(connection, options.log, options);
  try {
    const { rows } = await database.pool.query<{ allowed: boolean }>(
      "select has_schema_privilege(current_schema(), 'CREATE') as allowed",
    );
    if (rows[0].allowed !== true)
      throw new Error('its user may not create tables in it: make it the owner of the database');
    await requireSessions(database.connection);
    return database;
  } catch (error) {
    await database.close();
    throw unavailable(error);
  }
}

export interface OpenOptions extends PoolOptions {
  /** Address of an external server; without it, the embedded one is started. */
  readonly databaseUrl?: string;
  readonly dataDirectory: string;
  readonly log: EmbeddedLog;
  /** Called when no other Clew uses the data directory, before anything is created in it; an error ends the start. */
  readonly prepare?: () => Promise<void>;
}

/**
 * Starts the embedded database, unless an address is given, and opens a pool on it. `close` ends both.
 * @throws DirectoryInUseError if another Clew uses the data directory
 * @throws DatabaseUnavailableError if the external database cannot be used
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  if (options.databaseUrl !== undefined) {
    await options.prepare?.();
    return openExternal(options.databaseUrl, options);
  }
  const server = await EmbeddedPostgres.start({
    ...{ directory: options.dataDirectory, log: options.log, prepare: options.prepare },
  });
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
 * Like `openDatabase`, for administration commands: uses the database of a service that is running on the data directory.
 * @returns also whether a service is running on it
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

/** Idle connections are probed after this time: if its server disappeared, a connection would otherwise stay open for hours. */
const KEEP_ALIVE_MS = 10_000;

export function withConnectionSettings(
  connection: ConnectionConfig,
  applicationName: string,
): ConnectionConfig {
  return {
    ...connection,
    application_name: applicationName,
    connectionTimeoutMillis: 15_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}
