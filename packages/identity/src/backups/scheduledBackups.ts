/**
 * Backups on a schedule (`docs/operations.md#backups-on-a-schedule`). Processes that make none read the records of the others, so each process
 * reports a missing backup.
 */
import type { rm } from 'node:fs/promises';
import type { BackupRecord, BackupSchedule } from '@clew/api';
import { type Config, type Handlers, TaskLoop } from '@clew/common';
import {
  AdvisoryLock,
  BackupError,
  type Database,
  type DatabaseLog,
  ServerClient,
  writeBackupBeside,
} from '@clew/store';
import { noteBackup, notedBackups } from './backupHistory.ts';
import { backUpOpen, newFile, type Place } from './backups.ts';

const LOOK_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A failed one is tried again after at most this time. */
const RETRY_MS = HOUR_MS;
/** Delay after which a due backup counts as missing: making one and restarting a service take minutes. */
const LATE_MS = 2 * HOUR_MS;

export interface BackupParts {
  readonly database: Database;
  readonly config: Pick<Config, 'role' | 'backups'> & Place;
  readonly log: DatabaseLog & { info(fields: object, message: string): void };
  /** Milliseconds since the epoch; for tests. */
  readonly now?: () => number;
  /** For tests. */
  readonly remove?: typeof rm;
}

export interface Backups {
  readonly handlers: Handlers<'ListBackups'>;
  /** Why the newest scheduled backup is not there, or older ones still are; without names of files, because everyone may see it. */
  readonly fault: string | undefined;
  /** Makes each backup when it is due, until it is stopped; may be called again after that. */
  start(): { stop(): Promise<void> };
  /** Looks once, and makes a backup that is due. */
  look(signal?: AbortSignal): Promise<void>;
}

/** Any number of processes may do this on one database: one of them makes each backup. */
export function openBackups(parts: BackupParts): Backups {
  const { database, config, log, now = () => Date.now() } = parts;
  const startedAt = now();
  let fault: string | undefined;
  const look = async (signal?: AbortSignal): Promise<void> => {
    const schedule = config.backups;
    if (schedule === undefined) return;
    if (config.role !== 'api' && isDue(await notedBackups(database.db), schedule.hours, now()))
      await makeInTurn(parts, now, signal);
    fault = faultOf(await notedBackups(database.db), schedule.hours, startedAt, now());
  };
  return {
    get fault() {
      return fault;
    },
    handlers: {
      async ListBackups() {
        const backups = [...(await notedBackups(database.db))];
        const schedule = config.backups === undefined ? null : scheduleRecord(config.backups, backups, now());
        const reason = schedule === null ? undefined : faultOf(backups, schedule.hours, startedAt, now());
        return { status: 200, json: { data: { schedule, fault: reason ?? null, backups } } };
      },
    },
    start: () => startLooking(look, config.backups !== undefined, log),
    look,
  };
}

function startLooking(
  look: (signal: AbortSignal) => Promise<void>,
  hasSchedule: boolean,
  log: DatabaseLog,
): { stop(): Promise<void> } {
  let later: NodeJS.Timeout | undefined;
  const loop: TaskLoop = new TaskLoop(
    {
      name: 'backups',
      delayMs: 0,
      run: async (signal) => {
        await look(signal);
        later = setTimeout(() => loop.wake(), LOOK_MS);
        later.unref();
      },
    },
    log,
  );
  if (hasSchedule) loop.wake();
  return {
    async stop() {
      await loop.stop();
      clearTimeout(later);
    },
  };
}

const newestScheduled = (noted: readonly BackupRecord[]): BackupRecord | undefined =>
  noted.find(({ is_scheduled }) => is_scheduled);

/** @returns milliseconds since the epoch */
function dueAt(noted: readonly BackupRecord[], hours: number): number {
  const newest = newestScheduled(noted);
  if (newest === undefined) return 0;
  const every = hours * HOUR_MS;
  return Date.parse(newest.made_at) + (newest.file === null ? Math.min(every, RETRY_MS) : every);
}

const isDue = (noted: readonly BackupRecord[], hours: number, now: number): boolean => {
  const newest = newestScheduled(noted);
  // The clock was set back.
  return dueAt(noted, hours) <= now || (newest !== undefined && Date.parse(newest.made_at) > now + LATE_MS);
};

/** @param startedAt start of the process: before the first backup, no other time is known */
function faultOf(
  noted: readonly BackupRecord[],
  hours: number,
  startedAt: number,
  now: number,
): string | undefined {
  const newest = newestScheduled(noted);
  if (newest === undefined) return startedAt + LATE_MS < now ? 'there is no scheduled backup yet' : undefined;
  if (newest.file === null)
    return `the scheduled backup of ${newest.made_at} failed; see the log for the reason`;
  if (dueAt(noted, hours) + LATE_MS < now) return `no scheduled backup has been made since ${newest.made_at}`;
  if (newest.fault === null) return undefined;
  return `after the backup of ${newest.made_at}, older backups could not be deleted; see the log for the reason`;
}

function scheduleRecord(
  { directory, hours, keep, passphrase, withKey }: NonNullable<Config['backups']>,
  noted: readonly BackupRecord[],
  now: number,
): BackupSchedule {
  const next = Math.max(now, dueAt(noted, hours));
  const isEncrypted = passphrase !== undefined;
  return {
    ...{ directory, hours, keep, is_encrypted: isEncrypted, with_key: withKey },
    next_at: new Date(next).toISOString(),
  };
}

/** One process at a time: another may have made it in the meantime. */
async function makeInTurn(parts: BackupParts, now: () => number, signal?: AbortSignal): Promise<void> {
  const { database, config } = parts;
  const client = new ServerClient(database.connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      AdvisoryLock.backups,
    ]);
    const hours = config.backups?.hours ?? 0;
    if (rows[0]?.locked === true && isDue(await notedBackups(database.db), hours, now()))
      await makeScheduled(parts, new Date(now()), signal);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Records a failure in the database. @throws Error if the database cannot record it */
async function makeScheduled(
  { database, config, log, remove }: BackupParts,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  if (config.backups === undefined) return;
  const { directory: path, keep, passphrase, withKey } = config.backups;
  const wish = { path, keep, passphrase, withKey, signal };
  const begun = performance.now();
  try {
    const file = await newFile(wish, now);
    const opened = { database, place: config, wish, log, file, now, isScheduled: true, remove };
    const { bytes, deleted, undeleted } = await backUpOpen({ ...opened, write: writeBackupBeside });
    log.info({ file, bytes, deleted: deleted.length, seconds: secondsSince(begun) }, 'made a backup');
    if (undeleted !== null) log.error({ reason: undeleted }, 'older backups could not be deleted');
  } catch (error) {
    if (signal?.aborted === true) return;
    log.error({ err: error }, 'the scheduled backup failed; it will be retried within an hour');
    await noteBackup(database.pool, {
      ...{ made_at: now.toISOString(), seconds: secondsSince(begun), file: null, bytes: null },
      ...{ is_encrypted: passphrase !== undefined, with_key: withKey, is_scheduled: true },
      fault: error instanceof BackupError ? error.message : 'an internal error occurred; see the log',
    });
  }
}

const secondsSince = (begun: number): number => (performance.now() - begun) / 1000;
