/** Tests the metrics of sign-ins and certificates on a real database. */
import { X509Certificate } from 'node:crypto';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSamlPeer } from '../test/sso/samlPeer.ts';
import { failedSignIns, samlCertificateEnds } from './upkeep.ts';

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
