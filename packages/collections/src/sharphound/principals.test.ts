import { describe, expect, it } from 'vitest';
import { readObjects, readOne } from '../../test/index.ts';

const ID = 'S-1-5-21-1-1000';
const DOMAIN = 'S-1-5-21-1';
/** Properties that are stored as they are. */
const KEPT = {
  displayName: 'As Is',
  whencreated: 1_700_000_000,
  lastlogon: -1,
  description: null,
  sidhistory: [],
  Nested: { a: 1 },
};

describe('every object', () => {
  it('becomes a node of the base kind and its own, with its properties', async () => {
    const { nodes } = await readOne('users', {
      ObjectIdentifier: 's-1-5-21-1-1000',
      Properties: {
        name: 'Tier2@corp.local',
        distinguishedname: 'cn=x',
        operatingsystem: 'Windows',
        environmentid: 's-1-5-21-1',
        ...KEPT,
        objectid: 'X',
        lastseen: 'X',
        lastcollected: 'X',
        reconcile: false,
      },
    });
    expect(nodes).toEqual([
      {
        objectId: ID,
        kinds: ['Base', 'User'],
        described: true,
        properties: {
          name: 'TIER2@CORP.LOCAL',
          distinguishedname: 'CN=X',
          operatingsystem: 'WINDOWS',
          environmentid: 'S-1-5-21-1',
          ...KEPT,
        },
      },
    ]);
  });

  it.each([undefined, null, {}])('may have no properties (%j)', async (properties) => {
    expect(
      (await readOne('users', { ObjectIdentifier: ID, Properties: properties })).nodes[0]?.properties,
    ).toEqual({});
  });

  it('has a note if its name is not text', async () => {
    const { nodes, issues } = await readOne('users', { ObjectIdentifier: ID, Properties: { name: 7 } });
    expect(nodes[0]?.properties).toEqual({ name: 7 });
    expect(issues).toEqual(['note: the property "name" is not a text']);
  });

  it('is removed if it is deleted in the directory', async () => {
    const { nodes, edges, deletedIds, issues } = await readOne('users', {
      ObjectIdentifier: ID.toLowerCase(),
      IsDeleted: true,
      PrimaryGroupSID: 'S-1-5-21-1-513',
    });
    expect({ nodes, edges, deletedIds, issues }).toEqual({
      nodes: [],
      edges: [],
      deletedIds: [ID],
      issues: ['note: the object is deleted in the directory'],
    });
  });

  it.each([
    [
      'its container',
      { ObjectIdentifier: 'ou-1', ObjectType: 'OU' },
      ['OU-1(OU) -Contains-> S-1-5-21-1-1000(User) hasacl'],
    ],
    [
      'an unknown container',
      { ObjectIdentifier: 'c-1', ObjectType: 'Configuration' },
      ['C-1(Base) -Contains-> S-1-5-21-1-1000(User) hasacl'],
    ],
    ['none', null, []],
  ])('is contained in %s', async (_, container, edges) => {
    const read = await readOne('users', { ObjectIdentifier: ID, ContainedBy: container }, { methods: 128 });
    expect(read.edges).toEqual(edges);
    expect(read.aspects).toEqual([`contained-by of ${ID}(User): replaces ${edges.length}`]);
  });

  it('has an unknown container if the file did not collect it', async () => {
    expect(
      (await readOne('users', { ObjectIdentifier: ID, ContainedBy: null }, { methods: 64 })).aspects,
    ).toEqual([]);
  });

  it.each(['domains', 'gpos'])('of the type %s has no container', async (type) => {
    const read = await readOne(type, {
      ObjectIdentifier: ID,
      ContainedBy: { ObjectIdentifier: 'X', ObjectType: 'OU' },
    });
    expect(read.edges).toEqual([]);
  });
});

describe('users', () => {
  it('have memberships, delegation, former ids and services', async () => {
    const { edges, aspects } = await readOne(
      'users',
      {
        ObjectIdentifier: ID,
        Properties: { unconstraineddelegation: true, domainsid: DOMAIN },
        PrimaryGroupSID: 's-1-5-21-1-513',
        AllowedToDelegate: [{ ObjectIdentifier: 'S-C', ObjectType: 'Computer' }],
        HasSIDHistory: [{ ObjectIdentifier: 'S-H', ObjectType: 'User' }],
        SPNTargets: [
          { ComputerSID: 'S-C', Service: 'SQLAdmin', Port: 1433 },
          { ComputerSID: 'S-C', Service: 'HTTP', Port: 80 },
          { ComputerSID: 'S-C', Service: 'AdminTo', Port: 80 },
          { ComputerSID: '', Service: 'SQLAdmin' },
        ],
      },
      { methods: 521_215 },
    );
    expect(edges).toEqual([
      `${ID}(User) -MemberOf-> S-1-5-21-1-513(Group) primary hasacl`,
      `${ID}(User) -AllowedToDelegate-> S-C(Computer) hasacl`,
      `${ID}(User) -HasSIDHistory-> S-H(User) hasacl`,
      `${ID}(User) -CoerceToTGT-> ${DOMAIN}(Domain) hasacl`,
      `${ID}(User) -SQLAdmin-> S-C(Computer) acl hasacl {"port":1433}`,
    ]);
    expect(aspects).toEqual([
      `primary-group of ${ID}(User): replaces 1`,
      `delegation of ${ID}(User): replaces 1`,
      `sid-history of ${ID}(User): replaces 1`,
      `domain-role of ${ID}(User): replaces 1`,
      `spn-targets of ${ID}(User): replaces 1`,
    ]);
  });

  it('report that they have none of them', async () => {
    const object = {
      ObjectIdentifier: ID,
      Properties: { unconstraineddelegation: false },
      PrimaryGroupSID: null,
      AllowedToDelegate: [],
      HasSIDHistory: [],
      SPNTargets: [],
    };
    expect((await readOne('users', object, { methods: 521_215 })).aspects).toEqual([
      `primary-group of ${ID}(User): replaces 0`,
      `delegation of ${ID}(User): replaces 0`,
      `sid-history of ${ID}(User): replaces 0`,
      `domain-role of ${ID}(User): replaces 0`,
      `spn-targets of ${ID}(User): replaces 0`,
    ]);
    expect((await readOne('users', object, { methods: 8 })).aspects).toEqual([]);
  });

  it.each([
    ['the property', { Properties: { unconstraineddelegation: true, domainsid: DOMAIN } }, true],
    [
      'the property against the member',
      { Properties: { unconstraineddelegation: false, domainsid: DOMAIN }, UnconstrainedDelegation: true },
      false,
    ],
    ['the member without the property', { UnconstrainedDelegation: true, DomainSID: DOMAIN }, true],
    [
      'the property and the domain',
      { Properties: { unconstraineddelegation: true }, DomainSID: DOMAIN },
      true,
    ],
    ['no domain', { Properties: { unconstraineddelegation: true } }, false],
    [
      'a property that is not true',
      { Properties: { unconstraineddelegation: 'true', domainsid: DOMAIN } },
      false,
    ],
  ])('are trusted for delegation by %s', async (_, more, isTrusted) => {
    const { edges } = await readOne('users', { ObjectIdentifier: ID, ...more });
    expect(edges).toEqual(isTrusted ? [`${ID}(User) -CoerceToTGT-> ${DOMAIN}(Domain) hasacl`] : []);
  });
});

describe('groups', () => {
  const GROUP = 'S-1-5-21-1-512';

  it('have their members, including duplicates and themselves', async () => {
    const members = [
      { ObjectIdentifier: 's-u', ObjectType: 'User' },
      { ObjectIdentifier: 'S-U', ObjectType: 'User' },
      { ObjectIdentifier: GROUP, ObjectType: 'Group' },
      { ObjectIdentifier: 'CN=Admins,DC=other', ObjectType: 'Base' },
      { ObjectIdentifier: null, ObjectType: 'User' },
    ];
    const { edges, aspects, issues } = await readOne(
      'groups',
      { ObjectIdentifier: GROUP, Members: members },
      { methods: 1 },
    );
    expect(edges).toEqual([
      `S-U(User) -MemberOf-> ${GROUP}(Group) hasacl`,
      `S-U(User) -MemberOf-> ${GROUP}(Group) hasacl`,
      `${GROUP}(Group) -MemberOf-> ${GROUP}(Group) hasacl`,
      `CN=ADMINS,DC=OTHER(Base) -MemberOf-> ${GROUP}(Group) hasacl`,
    ]);
    expect(aspects).toEqual([`members of ${GROUP}(Group): replaces 4`]);
    expect(issues).toEqual(['note: entries of "Members" without an ID were skipped']);
  });

  it('look up members that are known by distinguished name only', async () => {
    const { objects } = await readObjects('groups', [
      {
        ObjectIdentifier: GROUP,
        Members: [
          { ObjectIdentifier: 'DN=CN=Anna,DC=x', ObjectType: 'User' },
          { ObjectIdentifier: 'dn=cn=b', ObjectType: 'Foreign' },
        ],
      },
    ]);
    const [set] = objects[0]?.edgeSets ?? [];
    expect(set).toMatchObject({ edges: [], replaces: true });
    const common = { kind: 'MemberOf', end: GROUP, endKind: 'Group', flags: 16, createMissing: true };
    expect(set?.matchedEdges).toEqual([
      {
        ...common,
        start: { matchers: [{ key: 'distinguishedname', value: 'CN=ANNA,DC=X' }], kind: 'User' },
        startKind: 'User',
      },
      { ...common, start: { matchers: [{ key: 'distinguishedname', value: 'CN=B' }] }, startKind: 'Base' },
    ]);
  });

  it('of a stub report nothing about the parts that a full record enumerates', async () => {
    const stub = {
      ObjectIdentifier: GROUP,
      Properties: { name: 'x', reconcile: false },
      Members: [],
      Aces: [],
      ContainedBy: null,
    };
    expect((await readOne('groups', stub, { methods: 521_215 })).aspects).toEqual([]);
  });

  it('have former ids', async () => {
    const { edges } = await readOne('groups', {
      ObjectIdentifier: GROUP,
      HasSIDHistory: [{ ObjectIdentifier: 'S-H', ObjectType: 'Group' }],
    });
    expect(edges).toEqual([`${GROUP}(Group) -HasSIDHistory-> S-H(Group) hasacl`]);
  });
});

describe('sessions', () => {
  it('are edges with the type of the logon and without isacl', async () => {
    const { nodes, edges, aspects } = await readOne('sessions', {
      ComputerSID: 's-1-8-1',
      UserSID: 's-1-9-1',
      LogonType: 2,
    });
    expect(nodes).toEqual([]);
    expect(edges).toEqual(['S-1-8-1(Computer) -HasSession-> S-1-9-1(User) {"logontype":2}']);
    expect(aspects).toEqual(['sessions of S-1-8-1(Computer): adds 1']);
    expect((await readOne('sessions', { ComputerSID: 'S-1-8-1', UserSID: 'S-1-9-1' })).edges).toEqual([
      'S-1-8-1(Computer) -HasSession-> S-1-9-1(User) {"logontype":0}',
    ]);
  });

  it('without a computer or a user are rejected', async () => {
    const { report } = await readObjects('sessions', [{ ComputerSID: 'S-1-8-1' }, { UserSID: 'S-1-9-1' }, 7]);
    expect(report.objects).toEqual({ read: 0, repaired: 0, rejected: 3 });
  });
});

describe('deleted', () => {
  it('names the deleted ids', async () => {
    const { objects, report } = await readObjects('deleted', [
      's-1-5-21-1-7',
      { ObjectIdentifier: 'S-2' },
      '',
      7,
      null,
    ]);
    expect(objects.map(({ deletedIds }) => deletedIds)).toEqual([['S-1-5-21-1-7'], ['S-2']]);
    expect(report.objects).toEqual({ read: 2, repaired: 0, rejected: 3 });
  });
});
