/**
 * Watches for an upgrade of the database by a newer version while this process runs. During the upgrade and after it, this process can read,
 * but must not write: it does not know the new tables.
 */
import type { EmbeddedLog } from '@clew/embedded';
import { AdvisoryLock } from './advisoryLocks.ts';
import type { Database } from './database.ts';
import { Listener } from './listener.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { UPGRADE_CHANNEL } from './upgradeLocks.ts';

/** `current`: the tables are those of this version; `changing`: migrations run; `newer`: a newer version has changed the tables. */
export type TableState = 'current' | 'changing' | 'newer';

export interface UpgradeWatch {
  readonly state: TableState;
  stop(): Promise<void>;
}

export interface UpgradeWatchOptions {
  readonly database: Pick<Database, 'pool' | 'connection'>;
  /** Called with each change of the state. */
  readonly onChange: (state: TableState) => void;
  readonly log: EmbeddedLog;
  /** Names of the migrations that this process knows, for tests. */
  readonly known?: readonly string[];
}

/** Pause between checks during an upgrade: a process that is killed does not announce the end. */
const AGAIN_MS = 500;
/** Pause between other checks, in case a notification was lost. */
const REST_MS = 60_000;

/** Transactions that write hold the lock of upgrades, too, but shared. */
const STATE = `
  select exists (select from migration where name <> all($1)) as is_newer,
    exists (
      select from pg_locks
      where locktype = 'advisory' and classid = 0 and objid = $2 and objsubid = 1 and granted and mode = 'ExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())
    ) as is_changing`;

export function watchUpgrades({
  database: { pool, connection },
  onChange,
  log,
  known = MIGRATIONS.map(({ name }) => name),
}: UpgradeWatchOptions): UpgradeWatch {
  let state: TableState = 'current';
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let checked: Promise<void> = Promise.resolve();
  const stateNow = async (): Promise<TableState> => {
    const { rows } = await pool.query<{ is_newer: boolean; is_changing: boolean }>(STATE, [
      known,
      AdvisoryLock.upgrade,
    ]);
    if (rows[0].is_changing) return 'changing';
    return rows[0].is_newer ? 'newer' : 'current';
  };
  const set = (next: TableState): void => {
    if (next === state || isStopped) return;
    state = next;
    onChange(next);
  };
  const check = (): void => {
    checked = checked.then(async () => {
      if (isStopped) return;
      try {
        set(await stateNow());
      } catch (error) {
        log.debug({ err: error }, 'cannot see whether the database is being upgraded; trying again');
      }
      clearTimeout(timer);
      if (isStopped) return;
      timer = setTimeout(check, state === 'changing' ? AGAIN_MS : REST_MS);
      timer.unref();
    });
  };
  const listener = new Listener({
    connection,
    channels: [UPGRADE_CHANNEL],
    lock: AdvisoryLock.process,
    log,
    onConnected: check,
    onNotification: (_channel, payload) => {
      // Immediately: the pool may have no free connection.
      if (payload === 'begin') set('changing');
      check();
    },
  });
  return {
    get state() {
      return state;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await listener.stop();
      await checked;
    },
  };
}
