/**
 * A real PostgreSQL for tests: a new migrated database per call, in a server that the test files of a worker share. Outside the test
 * runner, the server ends when the last database is closed.
 *
 *   const database = await startTestDatabase();   // in beforeAll
 *   await database.close();                       // in afterAll
 */

import { silentLog } from '@clew/embedded/testing';
import { afterAll, beforeAll } from 'vitest';
import { connectDatabase, type Database } from '../src/database.ts';
import { migrate } from '../src/migrate.ts';
import { MIGRATIONS } from '../src/migrations/index.ts';
import { dropDatabase, makeDatabase } from './databases.ts';
import { sharedServer } from './sharedServers.ts';
import type { TestServer } from './testServer.ts';

export { openBenchDatabase } from './benchDatabase.ts';
export {
  backupOf,
  OLD_KEY,
  OLD_PASSWORD,
  OLD_STORES,
  type OldStoreName,
  recordedAnswers,
} from './oldStores/oldStores.ts';
export { hasPooler, type Pooler, type PoolMode, startPooler } from './pooler.ts';
export { MIGRATIONS, silentLog };

/** Address of a PostgreSQL that replaces the tests' own server; its user must be able to create databases. */
export const TEST_DATABASE_VARIABLE = 'CLEW_TEST_DATABASE_URL';

let server: Promise<TestServer> | undefined;
let made = 0;
let open = 0;

export interface TestDatabaseOptions {
  /** Default true: all migrations applied. */
  readonly migrated?: boolean;
}

export async function startTestDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  open++;
  server ??= findServer();
  const { connection, migrated } = await server;
  const name = `test_${process.pid}_${++made}`;
  const isMigrated = options.migrated ?? true;
  const template = isMigrated ? migrated : undefined;
  await makeDatabase(connection, name, template);
  const database = connectDatabase({ ...connection, database: name }, silentLog);
  if (isMigrated && template === undefined) await migrate(database.pool);
  return {
    ...database,
    close: async () => {
      await database.close();
      await dropDatabase(connection, name);
      if (--open === 0) await stopServer();
    },
  };
}

async function stopServer(): Promise<void> {
  const running = server;
  server = undefined;
  await (await running)?.stop();
}

async function findServer(): Promise<TestServer> {
  const address = process.env[TEST_DATABASE_VARIABLE];
  if (address !== undefined) return serverAt(address);
  const shared = await sharedServer();
  if (shared !== undefined) return { ...shared, stop: async () => {} };
  const { startTestServer } = await import('./testServer.ts');
  return startTestServer();
}

/** A connection string would override the database name of each test. */
function serverAt(address: string): TestServer {
  const { hostname, port, username, password } = new URL(address);
  const host = decodeURIComponent(hostname);
  const connection = { host, port: Number(port), user: username, password, database: 'postgres' };
  return { connection, migrated: undefined, stop: async () => {} };
}

/** Call it once at the top of the file; the database is available in tests and later hooks. */
export function useTestDatabase(): { readonly database: Database } {
  let database: Database;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.close());
  return {
    get database() {
      return database;
    },
  };
}
