/** Reads the facts for advice: the configuration, the machine, and the database. */
import { readFile, statfs } from 'node:fs/promises';
import { type Config, machineMemory, proxyCount } from '@clew/common';
import type { Database } from '@clew/store';
import type { DatabaseSettings, Surroundings } from './advice.ts';

type Settings = Pick<Config, 'role' | 'host' | 'publicUrl' | 'trustedProxies' | 'dataDir' | 'databaseUrl'>;

const HUGE_PAGES = '/sys/kernel/mm/transparent_hugepage/enabled';

/** @param pool of a database with the tables of this version */
export async function readSurroundings(config: Settings, pool: Database['pool']): Promise<Surroundings> {
  const isOwn = config.databaseUrl !== undefined;
  const { rows } = await pool.query<{ node_count: string }>(
    'select node_count from generation order by id desc limit 1',
  );
  return {
    answersUsers: config.role !== 'worker',
    host: config.host,
    isProxied: proxyCount(config.trustedProxies) > 0,
    publicUrl: config.publicUrl,
    disk: await diskOf(config.dataDir),
    memoryBytes: machineMemory(),
    objects: Number(rows[0]?.node_count ?? 0),
    hugePages: await hugePages(),
    clockAhead: isOwn ? await clockAhead(pool) : 0,
    database: isOwn ? await databaseSettings(pool) : undefined,
  };
}

const diskOf = (directory: string): Promise<Surroundings['disk']> =>
  statfs(directory).then(
    ({ bavail, bsize }) => ({ directory, freeBytes: bavail * bsize }),
    () => undefined,
  );

const hugePages = (): Promise<string | undefined> =>
  readFile(HUGE_PAGES, 'utf8').then(
    (text) => /\[(\w+)\]/.exec(text)?.[1],
    () => undefined,
  );

/** @returns seconds, measured at the middle of the query */
async function clockAhead(pool: Database['pool']): Promise<number> {
  const asked = Date.now();
  const { rows } = await pool.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 as now',
  );
  return rows[0].now - (asked + Date.now()) / 2000;
}

async function databaseSettings(pool: Database['pool']): Promise<DatabaseSettings> {
  const { rows } = await pool.query<Record<string, string>>(`
    select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting('synchronous_commit') as commit, current_setting('autovacuum') as autovacuum,
      pg_size_bytes(current_setting('shared_buffers')) as buffers,
      least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (select case when rolconnlimit < 0 then 1000000 else rolconnlimit end from pg_roles where rolname = current_user),
        (select case when datconnlimit < 0 then 1000000 else datconnlimit end from pg_database where datname = current_database())
      ) - (select count(*) from pg_stat_activity where backend_type = 'client backend' and usename is distinct from current_user)::int
        as connections,
      (select count(*) from pg_stat_activity where backend_type = 'client backend' and usename = current_user
        and datname = current_database())::int as own`);
  const [found] = rows;
  return {
    fsync: found.fsync === 'on',
    fullPageWrites: found.pages === 'on',
    synchronousCommit: found.commit,
    autovacuum: found.autovacuum === 'on',
    sharedBuffersBytes: Number(found.buffers),
    connections: Number(found.connections),
    ownConnections: Number(found.own),
  };
}
