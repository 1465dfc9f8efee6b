import { describe, expect, it } from 'vitest';
import { readObjects, readOne } from '../../test/index.ts';

const SELF = 'S-1-5-21-1-1000';
const OWNER_RIGHTS = 'CORP.LOCAL-S-1-3-4';

function ace(right: string, principal = 'S-1-5-21-1-512', more: object = {}): object {
  return { PrincipalSID: principal, PrincipalType: 'Group', RightName: right, IsInherited: false, ...more };
}

async function edgesOf(aces: readonly unknown[], properties: object = {}): Promise<readonly string[]> {
  return (await readOne('users', { ObjectIdentifier: SELF, Properties: properties, Aces: aces })).edges;
}

/** An edge from the usual principal. */
function edgeText(kind: string, more = '', principal = 'S-1-5-21-1-512'): string {
  return `${principal}(Group) -${kind}-> ${SELF}(User) acl${more}`;
}

describe('rights of an access list', () => {
  it.each([
    'AddAllowedToAct',
    'AddKeyCredentialLink',
    'AddMember',
    'AddSelf',
    'AllExtendedRights',
    'Enroll',
    'ForceChangePassword',
    'GenericAll',
    'GenericWrite',
    'GetChanges',
    'GetChangesAll',
    'GetChangesInFilteredSet',
    'ManageCA',
    'ManageCertificates',
    'OwnsLimitedRights',
    'ReadGMSAPassword',
    'ReadLAPSPassword',
    'WriteAccountRestrictions',
    'WriteAltSecurityIdentities',
    'WriteDacl',
    'WriteGPLink',
    'WriteOwnerLimitedRights',
    'WritePKIEnrollmentFlag',
    'WritePKINameFlag',
    'WritePublicInformation',
    'WriteSPN',
  ])('%s produces an edge of the same name', async (right) => {
    expect(await edgesOf([ace(right)])).toEqual([edgeText(right, ' hasacl')]);
  });

  it.each([
    'DCSync',
    'SyncLAPSPassword',
    'OwnsRaw',
    'WriteOwnerRaw',
    'genericall',
    'AdminTo',
    'MemberOf',
    'Owner',
    '',
  ])('%j produces no edge, but a note', async (right) => {
    const { edges, issues, aspects } = await readOne('users', { ObjectIdentifier: SELF, Aces: [ace(right)] });
    expect(edges).toEqual([]);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(/^note: the right .* entries with it were skipped$/);
    expect(aspects).toEqual([`acl of ${SELF}(User): replaces 0`]);
  });

  it('keeps inheritance and its hash', async () => {
    const hash = 'ABCDEF';
    expect(
      await edgesOf([ace('GenericAll', undefined, { IsInherited: true, InheritanceHash: hash })]),
    ).toEqual([edgeText('GenericAll', ' inherited hasacl {"inheritancehash":"ABCDEF"}')]);
    expect(await edgesOf([ace('GenericAll', undefined, { InheritanceHash: '' })])).toEqual([
      edgeText('GenericAll', ' hasacl'),
    ]);
  });

  it('use the kind of a principal by its exact name', async () => {
    const types = ['User', 'Computer', 'ADLocalGroup', 'AZUser', 'LocalGroup', 'user', null];
    const edges = await edgesOf(types.map((type) => ace('GenericAll', 'S-1', { PrincipalType: type })));
    expect(edges.map((edge) => /\((\w+)\) -/.exec(edge)?.[1])).toEqual([
      'User',
      'Computer',
      'ADLocalGroup',
      'AZUser',
      'ADLocalGroup',
      'Base',
      'Base',
    ]);
  });

  it('omit rights of an object on itself', async () => {
    expect(
      await edgesOf([ace('GenericAll', SELF), ace('Owns', SELF.toLowerCase()), ace('WriteOwner', SELF)]),
    ).toEqual([]);
  });

  it('match names case-insensitively and store ids in upper case', async () => {
    const lower = {
      principalsid: 's-1-5-21-1-512',
      PRINCIPALTYPE: 'Group',
      rightname: 'WriteDacl',
      isinherited: true,
    };
    expect(await edgesOf([lower])).toEqual([edgeText('WriteDacl', ' inherited hasacl')]);
  });

  it('omit unreadable entries, and then do not treat the list as complete', async () => {
    const aces = [
      ace('GenericAll'),
      ace('GenericAll', ''),
      7,
      ace('GenericAll', 'S-1', { IsInherited: 'no' }),
    ];
    const { aspects, edges, issues } = await readOne('users', { ObjectIdentifier: SELF, Aces: aces });
    expect(edges).toEqual([edgeText('GenericAll', ' hasacl')]);
    expect(aspects).toEqual([`acl of ${SELF}(User): adds 1`]);
    expect(issues).toEqual([
      'repaired: an entry of "Aces" has no principal (2 times)',
      'repaired: an entry of "Aces" is not readable',
    ]);
  });
});

describe('ownership', () => {
  const owner = ace('Owns', 'S-OWNER');
  const writer = ace('WriteOwner', 'S-WRITER', { IsInherited: true, InheritanceHash: 'H' });
  const limit = ace('WriteDacl', OWNER_RIGHTS);
  const inheritedLimit = ace('GenericWrite', OWNER_RIGHTS, { IsInherited: true });
  const ownsRaw = edgeText('OwnsRaw', ' hasacl', 'S-OWNER');
  const writeOwnerRaw = edgeText('WriteOwnerRaw', ' inherited hasacl {"inheritancehash":"H"}', 'S-WRITER');
  const ownsLimited = (...rights: string[]): string =>
    edgeText('OwnsLimitedRights', ` hasacl {"privileges":${JSON.stringify(rights)}}`, 'S-OWNER');
  const any = { doesanyacegrantownerrights: true, doesanyinheritedacegrantownerrights: false };
  const anyInherited = { doesanyacegrantownerrights: true, doesanyinheritedacegrantownerrights: true };

  it.each([
    ['nothing limits the owner', [owner, writer], {}, [ownsRaw, writeOwnerRaw]],
    ['there is no owner', [writer], {}, [writeOwnerRaw]],
    ['the owner is the last named', [ace('Owns', 'S-FIRST'), owner], {}, [ownsRaw]],
    ['unread entries limit the owner here', [owner, writer], any, [writeOwnerRaw]],
    ['unread entries limit the owner by inheritance', [owner, writer], anyInherited, []],
    ['entries limit the owner', [owner, writer, limit, limit], {}, [ownsLimited('WriteDacl'), writeOwnerRaw]],
    [
      'entries limit the owner, unread ones by inheritance',
      [owner, writer, limit],
      anyInherited,
      [ownsLimited('WriteDacl')],
    ],
    [
      'inherited entries limit anyone who becomes owner',
      [owner, writer, limit, inheritedLimit],
      {},
      [
        ownsLimited('WriteDacl', 'GenericWrite'),
        edgeText(
          'WriteOwnerLimitedRights',
          ' inherited hasacl {"privileges":["GenericWrite"],"inheritancehash":"H"}',
          'S-WRITER',
        ),
      ],
    ],
    ['entries limit an owner who is not known', [limit, inheritedLimit], {}, []],
    ['an unknown right limits nothing', [owner, ace('Fly', OWNER_RIGHTS)], {}, [ownsRaw]],
    ['a flag that is text counts for nothing', [owner], { doesanyacegrantownerrights: 'true' }, [ownsRaw]],
  ])('is reported when %s', async (_, aces, properties, expected) => {
    expect(await edgesOf(aces, properties)).toEqual(expected);
  });

  it('allows OWNER RIGHTS to write the owner', async () => {
    expect(await edgesOf([ace('WriteOwner', OWNER_RIGHTS)])).toEqual([
      edgeText('WriteOwnerRaw', ' hasacl', OWNER_RIGHTS),
    ]);
  });

  it('is a property of the object, from the first named owner', async () => {
    const { nodes } = await readOne('users', {
      ObjectIdentifier: SELF,
      Aces: [ace('Owns', 's-1-a'), ace('Owns', 'S-1-B')],
    });
    expect(nodes[0]?.properties).toEqual({ ownersid: 'S-1-A' });
  });
});

describe('an access list that was not collected', () => {
  it.each([
    ['the method covers it', { methods: 64 }, {}, [`acl of ${SELF}(User): replaces 0`]],
    ['the file does not name its methods', { methods: 0 }, {}, [`acl of ${SELF}(User): replaces 0`]],
    ['the method does not cover it', { methods: 8 }, {}, []],
    ['the record is a stub', { methods: 64 }, { Properties: { reconcile: false } }, []],
    ['the member is missing', { methods: 64 }, { Aces: undefined }, []],
    ['the member is null', { methods: 64 }, { Aces: null }, [`acl of ${SELF}(User): replaces 0`]],
  ])('is noted when %s', async (_, meta, more, expected) => {
    const { aspects } = await readOne('users', { ObjectIdentifier: SELF, Aces: [], ...more }, meta);
    expect(aspects).toEqual(expected);
  });

  it.each([{ methods: 8 }, { methods: 64, stub: true }])(
    'still adds its own entries (%j)',
    async ({ methods, stub }) => {
      const properties = stub ? { reconcile: true } : {};
      const object = { ObjectIdentifier: SELF, Properties: properties, Aces: [ace('GenericAll')] };
      expect((await readOne('users', object, { methods })).aspects).toEqual([`acl of ${SELF}(User): adds 1`]);
    },
  );

  it('loses a right that a later collection does not find', async () => {
    const object = (aces: unknown[]): object => ({ ObjectIdentifier: SELF, Aces: aces });
    const { objects } = await readObjects('users', [
      object([ace('GenericAll'), ace('WriteDacl')]),
      object([ace('WriteDacl')]),
    ]);
    const sets = objects.flatMap(({ edgeSets }) => edgeSets);
    expect(sets.map(({ replaces, edges }) => [replaces, edges.length])).toEqual([
      [true, 2],
      [true, 1],
    ]);
  });
});
