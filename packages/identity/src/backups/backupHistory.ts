/** The newest backups of an installation, as its database knows them: with their time, size and fault. */
import type { BackupRecord } from '@clew/api';
import type { Db } from '@clew/store';

const HISTORY = 'backup.history';
/** Enough for two weeks of daily ones with some by hand; the directory has the others. */
export const MAX_KEPT = 20;

interface Queries {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** A repeated failure replaces the one before it: otherwise failures would push out the complete backups. */
export async function noteBackup(pool: Queries, record: BackupRecord): Promise<void> {
  await pool.query(
    `insert into setting (key, value) values ($1, jsonb_build_array($2::jsonb))
     on conflict (key) do update set value = (
       select jsonb_agg(one order by place)
       from jsonb_array_elements(jsonb_build_array($2::jsonb) || case
         when $3 and setting.value -> 0 ->> 'file' is null then setting.value - 0 else setting.value end
       ) with ordinality as newest (one, place)
       where place <= ${MAX_KEPT})`,
    [HISTORY, JSON.stringify(record), record.file === null],
  );
}

/** A restored copy made none of the backups that its original noted. */
export async function forgetBackups(client: Queries): Promise<void> {
  await client.query('delete from setting where key = $1', [HISTORY]);
}

/** @returns the newest first */
export async function notedBackups(db: Db): Promise<readonly BackupRecord[]> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', HISTORY).executeTakeFirst();
  return (row?.value ?? []) as readonly BackupRecord[];
}

/** @returns the time of the newest complete backup; `undefined` without one */
export async function lastBackup(db: Db): Promise<Date | undefined> {
  const newest = (await notedBackups(db)).find(({ file }) => file !== null);
  return newest && new Date(newest.made_at);
}
