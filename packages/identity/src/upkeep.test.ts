/** Tests the metrics of sign-ins, certificates and backups on a real database. */
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@clew/store';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSamlPeer } from '../test/sso/samlPeer.ts';
import { backUp } from './backups.ts';
import { failedSignIns, lastBackup, samlCertificateEnds } from './upkeep.ts';

let database: Database;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

it('only failed sign-ins of the last hour are counted, by action', async () => {
  const add = (action: string, status: string, age: string) =>
    database.pool.query(
      `insert into audit_log (created_at, actor_name, action, fields, source_ip_address, status, commit_id)
       values (clock_timestamp() - $3::interval, 'one', $1, '{}', '192.0.2.1', $2, gen_random_uuid())`,
      [action, status, age],
    );
  await add('LoginAttempt', 'failure', '1 minute');
  await add('LoginAttempt', 'failure', '59 minutes');
  await add('LoginAttempt', 'failure', '61 minutes');
  await add('LoginAttempt', 'success', '1 minute');
  await add('SSOLoginAttempt', 'failure', '1 minute');
  await add('DeleteAuthToken', 'failure', '1 minute');
  expect([...(await failedSignIns(database.db))].sort()).toEqual([
    ['LoginAttempt', 2],
    ['SSOLoginAttempt', 1],
    ['VerifySecret', 0],
  ]);
});

it('a SAML provider expires with the last of its certificates', async () => {
  expect(await samlCertificateEnds(database.db)).toEqual([]);
  const peer = await makeSamlPeer('https://idp.example');
  const { rows } = await database.pool.query<{ id: number }>(
    "insert into sso_provider (name, slug, type, auto_provision, default_role_id, role_provision) values ('Corp', 'corp', 'SAML', false, 1, false) returning id",
  );
  await database.pool.query(
    `insert into saml_provider (sso_provider_id, metadata, idp_issuer_uri, idp_sso_uri) values ($1, $2, $3, $3)`,
    [rows[0].id, peer.metadata(), peer.entityId],
  );
  const { validToDate } = new X509Certificate(Buffer.from(peer.certificate, 'base64'));
  expect(await samlCertificateEnds(database.db)).toEqual([{ name: 'Corp', at: validToDate }]);
});

it('the time of the last backup is known once there is one', async () => {
  expect(await lastBackup(database.db)).toBeUndefined();
  const directory = mkdtempSync(join(tmpdir(), 'clew-upkeep-'));
  try {
    const { user, password, host, port, database: name } = database.connection;
    const [owner, secret, place] = [user, password, host].map((text) => encodeURIComponent(String(text)));
    const databaseUrl = `postgres://${owner}:${secret}@/${name}?host=${place}&port=${port}`;
    const at = { databaseUrl, dataDir: directory, secretKey: undefined };
    await backUp(at, { path: join(directory, 'one.backup') }, silentLog);
    const first = await lastBackup(database.db);
    expect(Math.abs(Number(first) - Date.now())).toBeLessThan(60_000);
    await backUp(at, { path: join(directory, 'two.backup') }, silentLog);
    expect(Number(await lastBackup(database.db))).toBeGreaterThan(Number(first));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
