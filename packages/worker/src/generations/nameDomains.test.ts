/** Tests that domains whose own file was not uploaded are named after their objects. */
import type { Generation } from '@clew/generation';
import { described, emptyStore, mentioned, mergeRecords, record } from '@clew/intake/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildContext } from '../../test/generations/builds.ts';
import { buildGeneration } from './buildGeneration.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

const SID = 'S-1-5-21-1-2-3';
const OTHER = 'S-1-5-21-1-2-33';

async function namesOfDomains(): Promise<readonly string[]> {
  let made: Generation | undefined;
  // Writes of tests without ingest are not counted automatically.
  await database.pool.query('update facts_state set version = version + 1');
  await buildGeneration(buildContext(database, (generation) => (made = generation)));
  return (made?.environments ?? []).map(({ id, name, collected }) => `${id} ${name} ${collected}`);
}

it.each([
  ['the domain that most objects name', { domain: 'corp.local' }, {}, 'CORP.LOCAL'],
  ['the end of names', { name: 'ADA@CORP.LOCAL' }, {}, 'CORP.LOCAL'],
  [
    'their domain before the end of their name',
    { name: 'ADA@OTHER', domain: 'CORP.LOCAL' },
    {},
    'CORP.LOCAL',
  ],
  ['the trust that names it', { domain: 'OLD.LOCAL' }, { name: 'CORP.LOCAL' }, 'CORP.LOCAL'],
  ['no user principal name', { userprincipalname: 'ada@corp.example' }, {}, SID],
  ['its id, where its objects know no more', { domain: SID }, {}, SID],
])('are named after %s', async (_, user, domain, expected) => {
  await mergeRecords(
    database,
    1,
    record([
      mentioned(SID, 'Domain', domain),
      described(`${SID}-1103`, 'User', user),
      described(`${SID}-1104`, 'Computer', { name: 'PC.CORP.LOCAL', ...user }),
    ]),
  );
  expect(await namesOfDomains()).toEqual([`${SID} ${expected} false`]);
});

it('are named after objects whose ids do not begin with theirs', async () => {
  const properties = { domain: 'CORP.LOCAL', domainsid: SID };
  await mergeRecords(
    database,
    1,
    record([mentioned(SID, 'Domain'), described('11111111-0000-0000-0000-000000000000', 'OU', properties)]),
  );
  expect(await namesOfDomains()).toEqual([`${SID} CORP.LOCAL false`]);
});

it('take no name from local accounts, deleted objects, other domains, or a minority of their own objects', async () => {
  const users = ['A', 'B', 'CORP.LOCAL', 'CORP.LOCAL'].map((domain, at) =>
    described(`${SID}-${1103 + at}`, 'User', { domain }),
  );
  await mergeRecords(
    database,
    1,
    record([
      mentioned(SID, 'Domain'),
      mentioned(OTHER, 'Domain'),
      ...users,
      ...[1, 2, 3].map((id) => described(`${SID}-2000-${id}`, 'ADLocalGroup', { name: 'X@HOST.A' })),
      ...[1, 2, 3].map((id) => described(`${SID}-${3000 + id}`, 'User', { domain: 'A', domainsid: OTHER })),
      ...[1, 2, 3].map((id) => described(`${SID}-${4000 + id}`, 'User', { domain: 'GONE' })),
    ]),
  );
  await database.pool.query(`update node set deleted_at = now() where properties ->> 'domain' = 'GONE'`);
  // The other domain is identified by its objects, whatever their ids.
  expect(await namesOfDomains()).toEqual([`${SID} CORP.LOCAL false`, `${OTHER} A false`]);
});

it('have the name of their own file when it arrives, and pass theirs to objects that no file describes', async () => {
  await mergeRecords(
    database,
    1,
    record([
      mentioned(SID, 'Domain'),
      described(`${SID}-1103`, 'User', { domain: 'CORP.LOCAL' }),
      mentioned(`${SID}-1104`, 'User'),
    ]),
  );
  expect(await namesOfDomains()).toEqual([`${SID} CORP.LOCAL false`]);
  const { rows } = await database.pool.query(
    `select name from node join object_id using (id) where object_id = '${SID}-1104'`,
  );
  expect(rows).toEqual([{ name: `(CORP.LOCAL) ${SID}-1104` }]);
  await mergeRecords(
    database,
    2,
    record([described(SID, 'Domain', { name: 'NEW.LOCAL', domainsid: SID, collected: true })]),
  );
  expect(await namesOfDomains()).toEqual([`${SID} NEW.LOCAL true`]);
});
