/** Ids that no object has: they are reported, and create no object. */
import { expect, it } from 'vitest';
import { readObjects, readOne } from '../../test/index.ts';
import { idFault } from './principal.ts';

const ID = 'S-1-5-21-1-2-3-1101';
const ace = (sid: string) => ({
  PrincipalSID: sid,
  PrincipalType: 'Group',
  RightName: 'GenericAll',
  IsInherited: false,
});

it.each([
  'S-1-5-21-1-2-3-1101',
  'S-1-5-21-1-2-3-1101-544',
  'S-1-5-11',
  'CORP.LOCAL-S-1-5-32-544',
  '4BE0F0A1-0000-4000-8000-000000000001',
  'DN=CN=S-1-5-21-1-2-3-9,CN=FOREIGNSECURITYPRINCIPALS,DC=CORP',
  'CN=A-S-1-5,DC=CORP',
  'WEB-S-1-2.CORP.LOCAL',
  '',
])('%j may be the id of an object', (id) => {
  expect(idFault(id)).toBeUndefined();
});

const NONE = [
  'S-1-5-32',
  'CORP.LOCAL-S-1-5-32',
  'S-1-5-None',
  'S-1-5-21-1-2-3-None',
  'S-1-5',
  'S-1-',
  'S-1-5-21-',
  'DOMAIN_SID-513',
  'Not found',
  'Unknown',
];

it.each(NONE)('%s is never an end', async (id) => {
  const reference = { ObjectIdentifier: id, ObjectType: 'Domain' };
  const told = await readOne('computers', {
    ObjectIdentifier: ID,
    Properties: {},
    Aces: [ace(id)],
    ContainedBy: reference,
    PrimaryGroupSID: id,
    AllowedToDelegate: [reference],
    AllowedToAct: [reference],
    HasSIDHistory: [reference],
    DumpSMSAPassword: [reference],
    Sessions: { Collected: true, Results: [{ UserSID: id, ComputerSID: ID }] },
    LocalGroups: [{ ObjectIdentifier: id, Collected: true, Results: [reference], LocalNames: [reference] }],
  });
  expect(told.edges).toEqual([]);
  expect(told.nodes.map(({ objectId }) => objectId)).toEqual([ID]);
  for (const name of [
    'Aces',
    'ContainedBy.ObjectIdentifier',
    'PrimaryGroupSID',
    'AllowedToDelegate',
    'LocalGroups',
  ])
    expect(told.issues.filter((issue) => issue.includes(`"${name}`))).not.toEqual([]);
  expect(told.issues.every((issue) => issue.startsWith('note: '))).toBe(true);
});

it.each(NONE)('a record of %s creates no object', async (id) => {
  const told = await readOne('groups', {
    ObjectIdentifier: id,
    Properties: {},
    Aces: [ace(ID)],
    Members: [],
  });
  expect([told.nodes, told.edges]).toEqual([[], []]);
  expect(told.issues).toEqual([expect.stringContaining('the object was skipped')]);
});

it('accepts the groups of Builtin if the collector does not name the kind', async () => {
  const told = await readOne('groups', {
    ...{ ObjectIdentifier: 'CORP.LOCAL-S-1-5-32-544', Properties: {}, Aces: [] },
    ContainedBy: { ObjectIdentifier: 'S-1-5-32', ObjectType: 'Base' },
  });
  expect(told.edges).toEqual(['S-1-5-32(Base) -Contains-> CORP.LOCAL-S-1-5-32-544(Group) hasacl']);
});

it.each(['', 'None', 'Domain Users'])('%j produces no primary group', async (group) => {
  const told = await readOne('users', {
    ObjectIdentifier: ID,
    Properties: {},
    Aces: [],
    PrimaryGroupSID: group,
  });
  expect(told.edges).toEqual([]);
  expect(told.issues).toHaveLength(group === '' ? 0 : 1);
});

it('user accounts get no local groups', async () => {
  const members = [{ ObjectIdentifier: ID, ObjectType: 'User' }];
  const affected = ['User', 'Computer', 'Group'].map((kind, at) => ({
    ObjectIdentifier: `S-1-5-21-1-2-3-${at}`,
    ObjectType: kind,
  }));
  const told = await readOne('ous', {
    ObjectIdentifier: 'OU',
    Properties: {},
    GPOChanges: { LocalAdmins: members, AffectedComputers: affected },
  });
  expect(told.edges.filter((edge) => edge.includes('LocalToComputer'))).toEqual([
    'S-1-5-21-1-2-3-1-544(ADLocalGroup) -LocalToComputer-> S-1-5-21-1-2-3-1(Computer) hasacl',
  ]);
  expect(told.issues).toEqual(['note: local groups of objects that are not computers were skipped']);
});

it.each([
  ['ada', 'WEB1.CORP.LOCAL'],
  ['CORP\\ada', 'WEB1.CORP.LOCAL'],
  ['ada@corp.local', ID],
  ['S-ADA', ID],
  [ID, 'WEB1'],
])('a session of %s on %s creates neither a user nor a computer, and is reported', async (user, computer) => {
  const session = { UserSID: user, ComputerSID: computer, LogonType: 2 };
  const { objects, report } = await readObjects('sessions', [session]);
  expect(objects.flatMap(({ nodes, edgeSets }) => [...nodes, ...edgeSets])).toEqual([]);
  expect(report.objects).toEqual({ read: 0, repaired: 0, rejected: 1 });
  const told = await readOne('computers', {
    ...{ ObjectIdentifier: ID, Properties: {}, Aces: [] },
    Sessions: { Collected: true, Results: [session] },
  });
  expect(told.edges).toEqual([]);
  expect(told.issues).toEqual([
    expect.stringMatching(/SID" was skipped: it contains a name instead of an ID$/),
    'note: sessions without a computer or a user were skipped',
  ]);
});

it.each([ID, `${ID.slice(0, -5)}-500`, 'CORP.LOCAL-S-1-5-18', '4be0f0a1-0000-4000-8000-000000000001'])(
  'a session of %s has a user',
  async (user) => {
    const { edges } = await readOne('sessions', { UserSID: user, ComputerSID: ID });
    expect(edges).toEqual([expect.stringContaining(`-HasSession-> ${user.toUpperCase()}(User)`)]);
  },
);
