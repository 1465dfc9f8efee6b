/** Facts for operators: failed sign-ins, and expiring certificates. */
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
