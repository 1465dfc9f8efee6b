/** Facts for operators: failed sign-ins, expiring certificates, and the age of the last backup. */
import { X509Certificate } from 'node:crypto';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { listProviders } from './sso/providers.ts';
import { readMetadata } from './sso/samlMetadata.ts';

const SIGN_INS = ['LoginAttempt', 'SSOLoginAttempt', 'VerifySecret'] as const;

/** @returns the number of failed sign-ins in the last hour by action in the audit log, including zeros */
export async function failedSignIns(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('audit_log')
    .select((eb) => ['action', eb.fn.countAll<number>().as('count')])
    .where('created_at', '>', sql<string>`clock_timestamp() - interval '1 hour'`)
    .where('status', '=', 'failure')
    .where('action', 'in', SIGN_INS)
    .groupBy('action')
    .execute();
  const counts = new Map<string, number>(SIGN_INS.map((action) => [action, 0]));
  for (const { action, count } of rows) counts.set(action, Number(count));
  return counts;
}

/** @returns the last expiration of the signing certificates of each SAML provider: sign-ins work until then */
export async function samlCertificateEnds(
  db: Db,
): Promise<readonly { readonly name: string; readonly at: Date }[]> {
  const ends: { name: string; at: Date }[] = [];
  for (const { name, saml } of await listProviders(db)) {
    if (saml === undefined) continue;
    const { certificates } = readMetadata(saml.metadata);
    const times = certificates.map((pem) => new X509Certificate(pem).validToDate.getTime());
    ends.push({ name, at: new Date(Math.max(...times)) });
  }
  return ends;
}

const LAST_BACKUP = 'backup.last';

/** @param madeAt time of the database state in the backup */
export async function noteBackup(
  pool: { query(text: string, values: unknown[]): Promise<unknown> },
  madeAt: Date,
): Promise<void> {
  await pool.query(
    `insert into setting (key, value) values ($1, to_jsonb($2::timestamptz))
     on conflict (key) do update set value = excluded.value`,
    [LAST_BACKUP, madeAt],
  );
}

/** @returns the time of the last backup; `undefined` without one */
export async function lastBackup(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', LAST_BACKUP)
    .executeTakeFirst();
  return row === undefined ? undefined : new Date(row.value as string);
}
