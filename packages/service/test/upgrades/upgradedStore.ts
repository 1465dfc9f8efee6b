/** A store of an earlier version in a database of the test server, and processes of this version that upgrade it. */
import { ClewClient } from '@clew/client';
import { type Database, restoreBackup } from '@clew/store';
import {
  backupOf,
  MIGRATIONS,
  OLD_KEY,
  OLD_PASSWORD,
  type OldStoreName,
  startTestDatabase,
} from '@clew/store/testing';
import pg from 'pg';
import { vi } from 'vitest';
import { type ServeProcess, startClew, startServe } from '../serveProcess.ts';

export class UpgradedStore {
  readonly database: Database;
  readonly #directory: string;

  private constructor(database: Database, directory: string) {
    this.database = database;
    this.#directory = directory;
  }

  /** @param directory of the processes */
  static async restore(name: OldStoreName, directory: string): Promise<UpgradedStore> {
    const database = await startTestDatabase({ migrated: false });
    await restoreBackup(database, backupOf(name), undefined);
    return new UpgradedStore(database, directory);
  }

  get variables(): Readonly<Record<string, string>> {
    return { ...variablesOf(this.database), CLEW_DATA_DIR: this.#directory };
  }

  /** @returns names of the steps that the store lacks, in order */
  async due(): Promise<readonly string[]> {
    const { rows } = await this.database.pool.query<{ name: string }>('select name from migration');
    const applied = new Set(rows.map(({ name }) => name));
    return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
  }

  /** Kills `clew admin migrate` in the transaction of a step, when its statements have run but it is not recorded. */
  async killAt(step: string): Promise<void> {
    const blocker = new pg.Client({ ...this.database.connection, application_name: 'test' });
    await blocker.connect();
    try {
      // The process waits for this row when it records the step.
      await blocker.query('begin');
      await blocker.query('insert into migration (name) values ($1)', [step]);
      const { child, ended } = startClew(['admin', 'migrate'], { variables: this.variables });
      const early = ended.then(({ stderr }) => Promise.reject(new Error(`not killed: ${stderr}`)));
      const waiting = vi.waitUntil(
        async () => {
          const { rowCount } = await this.database.pool.query(
            `select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into migration%'`,
          );
          return rowCount === 1;
        },
        { timeout: 60_000, interval: 10 },
      );
      await Promise.race([waiting, early]);
      early.catch(() => {});
      child.kill('SIGKILL');
      await ended;
    } finally {
      await blocker.query('rollback');
      await blocker.end();
    }
  }

  /** Starts the service of this version. */
  start(more: Readonly<Record<string, string>> = {}): Promise<ServeProcess> {
    return startServe(this.#directory, { ...this.variables, CLEW_LOG_LEVEL: 'info', ...more });
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

/** Variables of a service on a database of the test server. */
export function variablesOf({ connection }: Pick<Database, 'connection'>): Readonly<Record<string, string>> {
  const { host, user, password, database } = connection;
  return {
    CLEW_DATABASE_URL: `postgres://${user}:${password}@${encodeURIComponent(host as string)}/${database}`,
    CLEW_SECRET_KEY: OLD_KEY,
  };
}

export async function signedIn({ url }: Pick<ServeProcess, 'url'>, name = 'admin'): Promise<ClewClient> {
  const client = new ClewClient({ url });
  await client.login(name, OLD_PASSWORD);
  return client;
}
