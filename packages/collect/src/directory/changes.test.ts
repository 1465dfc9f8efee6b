import { afterEach, beforeEach, expect, it } from 'vitest';
import { descriptorBytes, sidBytes } from '../../test/descriptors.ts';
import { type ServedDirectory, SimulatedDirectory, type Values } from '../../test/simulatedDirectory.ts';
import { LdapClient } from '../ldap/ldapClient.ts';
import { type ChangeReport, DomainChanges } from './changes.ts';

const DOMAIN = 'S-1-5-21-61-62-63';
const BASE = 'DC=lakes,DC=test';
const [ANN, BOB, TEAM, HOST] = [1101, 1102, 1103, 1104].map((rid) => `${DOMAIN}-${rid}`);
const GENERIC_ALL = 0xf01ff;
const listOf = (sid: string) => descriptorBytes('S-1-5-32-544', [{ sid, mask: GENERIC_ALL, flags: 2 }]);

const user = (sid: string, name: string, more: Values = {}): Values => ({
  ...{ objectClass: ['top', 'user'], objectSid: [sidBytes(sid)], sAMAccountName: [name] },
  ...{ sAMAccountType: ['805306368'], nTSecurityDescriptor: [listOf(ANN)], ...more },
});

let directory: SimulatedDirectory;
let server: ServedDirectory;
let client: LdapClient;
let changes: DomainChanges;
let records: Map<string, Record<string, unknown>>;

beforeEach(async () => {
  directory = new SimulatedDirectory('dc1.lakes.test', BASE, DOMAIN);
  directory.put(BASE, { nTSecurityDescriptor: [listOf(ANN)] });
  directory.put(`OU=Staff,${BASE}`, {
    objectClass: ['top', 'organizationalUnit'],
    nTSecurityDescriptor: [listOf(ANN)],
  });
  directory.put(`CN=Ann,OU=Staff,${BASE}`, user(ANN, 'ann'));
  directory.put(`CN=Bob,OU=Staff,${BASE}`, user(BOB, 'bob'));
  directory.put(`CN=Team,${BASE}`, {
    ...{ objectClass: ['top', 'group'], objectSid: [sidBytes(TEAM)], sAMAccountName: ['Team'] },
    ...{ nTSecurityDescriptor: [listOf(ANN)], member: [`<SID=${ANN}>;CN=Ann`] },
  });
  directory.put(`CN=HOST,OU=Staff,${BASE}`, {
    ...{ objectClass: ['top', 'user', 'computer'], objectSid: [sidBytes(HOST)], sAMAccountName: ['HOST$'] },
    ...{ sAMAccountType: ['805306369'], nTSecurityDescriptor: [listOf(ANN)] },
  });
  server = await directory.serve();
  const ca = Buffer.from(server.authority);
  client = await LdapClient.open({
    ...{ host: 'dc1.lakes.test', address: '127.0.0.1', port: server.port, tls: true, ca },
  });
  changes = new DomainChanges();
  await changes.readAll(client, async () => undefined, {});
  changes.commit();
});
afterEach(async () => {
  client.close();
  await server[Symbol.asyncDispose]();
});

async function ask(sweeps = false, commits = true): Promise<ChangeReport> {
  records = new Map();
  const write = async (_: string, record: Record<string, unknown>): Promise<void> => {
    records.set(String(record.ObjectIdentifier), record);
  };
  const report = await changes.readChanges(client, write, { sweeps });
  if (commits) changes.commit();
  return report;
}

it('asks for one object, and writes nothing, if nothing changed', async () => {
  directory.asked.length = 0;
  expect((await ask()).counts).toEqual({});
  expect(directory.asked.every(({ attributes }) => !attributes.includes('ntsecuritydescriptor'))).toBe(true);
  directory.put(`CN=Ann,OU=Staff,${BASE}`, { lastLogonTimestamp: ['133000000000000000'] });
  expect((await ask()).counts).toEqual({});
});

it('notes policies that not all may apply by each policy, and a damaged list only as damaged', async () => {
  const apply = 'edacfd8f-ffb3-11d1-b41d-00a0c968f939';
  const read = { sid: 'S-1-5-11', mask: 0x20094 };
  const list = (...entries: Parameters<typeof descriptorBytes>[1] & {}): Buffer =>
    descriptorBytes('S-1-5-32-544', entries);
  const forAll = [read, { sid: 'S-1-5-11', mask: 0x100, objectType: apply }];
  const lists = {
    Default: list(...forAll),
    ...{ One: list(read), Two: list(read) },
    Refused: list(...forAll, { sid: TEAM, mask: 0x100, objectType: apply, isDenied: true }),
    Damaged: Buffer.from('damaged'),
  };
  for (const [name, bytes] of Object.entries(lists))
    directory.put(`CN=${name},CN=Policies,${BASE}`, {
      ...{ objectClass: ['top', 'container', 'groupPolicyContainer'], displayName: [name] },
      nTSecurityDescriptor: [bytes],
    });
  // The list of a policy, on an object that is none.
  directory.put(`CN=Bob,OU=Staff,${BASE}`, { nTSecurityDescriptor: [list(read)] });
  const { counts, notes } = await ask();
  expect(counts).toMatchObject({ gpos: 5 });
  expect(notes.map(({ what, count, first }) => `${what}: ${count}, ${first}`)).toEqual([
    expect.stringMatching(/^policies that only some users and computers may apply .*: 2, ONE@LAKES.TEST$/),
    expect.stringMatching(/^policies that some users or computers may not apply .*: 1, REFUSED@LAKES.TEST$/),
    expect.stringMatching(/^access lists that are not readable: .*: 1, CN=Damaged,CN=Policies/),
  ]);
});

it('writes only a group whose members changed, once', async () => {
  directory.put(`CN=Team,${BASE}`, { member: [`<SID=${ANN}>;CN=Ann`, `<SID=${BOB}>;CN=Bob`] });
  expect((await ask(false, false)).counts).toEqual({ groups: 1 });
  expect(records.get(TEAM)).toMatchObject({
    Members: [
      { ObjectIdentifier: ANN, ObjectType: 'User' },
      { ObjectIdentifier: BOB, ObjectType: 'User' },
    ],
  });
  // A record that was not uploaded is read again.
  changes.rollback();
  expect((await ask()).counts).toEqual({ groups: 1 });
  expect((await ask()).counts).toEqual({});
});

it('reads all objects in a unit whose access list changed, although their change numbers did not', async () => {
  const list = listOf(BOB);
  directory.put(`OU=Staff,${BASE}`, { nTSecurityDescriptor: [list] });
  for (const name of ['Ann', 'Bob'])
    directory.putQuietly(`CN=${name},OU=Staff,${BASE}`, { nTSecurityDescriptor: [list] });
  expect((await ask()).counts).toEqual({ ous: 1, users: 2 });
  expect(records.get(ANN)).toMatchObject({ Aces: [{}, { PrincipalSID: BOB, RightName: 'GenericAll' }] });
  // Other properties of the unit do not affect the objects in it.
  directory.put(`OU=Staff,${BASE}`, { description: ['a text'] });
  directory.asked.length = 0;
  expect((await ask()).counts).toEqual({ ous: 1 });
  expect(directory.asked.some(({ base }) => base === `OU=Staff,${BASE}`)).toBe(false);
});

it('reads all objects in a renamed unit', async () => {
  directory.rename(`OU=Staff,${BASE}`, `OU=People,${BASE}`);
  expect((await ask()).counts).toEqual({ ous: 1, users: 2, computers: 1 });
  expect(records.get(HOST)).toMatchObject({
    Properties: { distinguishedname: `CN=HOST,OU=PEOPLE,${BASE.toUpperCase()}` },
  });
});

it('finds a deletion in the next sweep, and treats no object as deleted if the view is lost', async () => {
  directory.remove(`CN=Bob,OU=Staff,${BASE}`);
  expect((await ask()).counts).toEqual({});
  const { counts, deleted } = await ask(true);
  expect([counts, deleted]).toEqual([{ users: 1 }, 1]);
  expect(records.get(BOB)).toEqual({ ObjectIdentifier: BOB, IsDeleted: true });
  expect((await ask(true)).deleted).toBe(0);
  for (let at = 0; at < 30; at += 1)
    directory.put(`CN=New${at},${BASE}`, user(`${DOMAIN}-${2000 + at}`, `new${at}`));
  expect((await ask()).counts).toEqual({ users: 30 });
  for (let at = 0; at < 30; at += 1) directory.remove(`CN=New${at},${BASE}`);
  await expect(ask(true)).rejects.toThrow('30 of');
});

it('requests a full reading at another domain controller, and after a restore', async () => {
  directory.usn -= 1;
  await expect(ask()).rejects.toThrow('it was restored');
  directory.usn += 1;
  directory.invocation = Buffer.alloc(16, 0x22);
  await expect(ask()).rejects.toThrow('another domain controller');
});
