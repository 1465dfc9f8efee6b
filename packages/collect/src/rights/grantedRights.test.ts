import { describe, expect, it } from 'vitest';
import { descriptorBytes, type EntryText } from '../../test/descriptors.ts';
import { ENTRY_FLAG, RIGHT, readDescriptor } from '../descriptor/securityDescriptor.ts';
import { grantedRights, inheritableHashes, inheritanceHash, type SchemaIds } from './grantedRights.ts';
import { GUID, type ObjectType } from './wantedRights.ts';

const DOMAIN = 'S-1-5-21-1-2-3';
const [ANN, BOB, TEAM] = [`${DOMAIN}-1101`, `${DOMAIN}-1102`, `${DOMAIN}-1103`];
const EVERYONE = 'S-1-1-0';
const OWNER = 'S-1-5-32-544';
const LAPS = '8b0b7f3a-5d4e-4f2b-9a11-0c6d5d0e1f01';
const DESCRIPTION = 'bf967950-0de6-11d0-a285-00aa003049e2';
const CHANGE_PASSWORD = 'ab721a53-1e2f-11d0-9819-00aa0040529b';
const CLASS: Readonly<Record<string, string>> = {
  user: 'bf967aba-0de6-11d0-a285-00aa003049e2',
  inetorgperson: '4828cc14-1437-45bc-9b07-ad6f015e5f28',
};

const schema: SchemaIds = { laps: new Set([LAPS]), setOf: new Map(), classId: (name) => CLASS[name] ?? '' };
/** Bob is a member of the team. */
const principals = { groupsOf: (sid: string) => new Set(sid === BOB ? [TEAM] : []) };

interface Asked {
  readonly type?: ObjectType;
  readonly objectClass?: string;
  readonly hasLaps?: boolean;
  readonly owner?: string;
}

function asked(
  entries: readonly EntryText[],
  { type = 'User', objectClass = 'user', hasLaps = false, owner = OWNER }: Asked = {},
) {
  return grantedRights(
    readDescriptor(descriptorBytes(owner, entries)),
    { type, objectClass, hasLaps },
    schema,
    principals,
  );
}

/** `sid right`, with a mark for inherited ones; without the owner. */
const rightsOf = (entries: readonly EntryText[], options?: Asked): readonly string[] =>
  asked(entries, options)
    .rights.filter(({ right }) => right !== 'Owns')
    .map(
      ({ sid, right, inheritedFrom }) =>
        `${sid.split('-').at(-1)} ${right}${inheritedFrom ? ' inherited' : ''}`,
    );

const allow = (mask: number, objectType?: string, more: Partial<EntryText> = {}): EntryText => ({
  sid: ANN,
  mask,
  objectType,
  ...more,
});
const deny = (mask: number, objectType?: string, more: Partial<EntryText> = {}): EntryText =>
  allow(mask, objectType, { isDenied: true, ...more });

describe('what an entry grants', () => {
  it.each([
    [[allow(RIGHT.all)], {}, ['1101 GenericAll']],
    [[allow(RIGHT.writeDacl | RIGHT.writeOwner)], {}, ['1101 WriteDacl', '1101 WriteOwner']],
    [[allow(RIGHT.write)], {}, ['1101 GenericWrite']],
    [[allow(RIGHT.extended)], {}, ['1101 AllExtendedRights']],
    [[allow(RIGHT.extended, GUID.resetPassword)], {}, ['1101 ForceChangePassword']],
    [[allow(RIGHT.extended, CHANGE_PASSWORD)], {}, []],
    [[allow(RIGHT.write, DESCRIPTION)], {}, []],
    [[allow(RIGHT.read | RIGHT.list)], {}, []],
    [[allow(RIGHT.write, GUID.member)], { type: 'Group' }, ['1101 AddMember']],
    [[allow(RIGHT.write, GUID.membershipSet)], { type: 'Group' }, ['1101 AddMember']],
    [[allow(RIGHT.self, GUID.member)], { type: 'Group' }, ['1101 AddSelf']],
    [[allow(RIGHT.self | RIGHT.write, GUID.member)], { type: 'Group' }, ['1101 AddMember']],
    [[allow(RIGHT.write, GUID.accountRestrictions)], { type: 'Computer' }, ['1101 WriteAccountRestrictions']],
    [[allow(RIGHT.extended, LAPS)], { type: 'Computer', hasLaps: true }, ['1101 ReadLAPSPassword']],
    [[allow(RIGHT.extended, LAPS)], { type: 'Computer' }, []],
    [[allow(RIGHT.extended)], { type: 'Computer' }, []],
    [[allow(RIGHT.extended, GUID.getChanges)], { type: 'Domain' }, ['1101 GetChanges']],
    [[{ sid: 'S-1-5-10', mask: RIGHT.all }], {}, []],
  ] satisfies [EntryText[], Asked, string[]][])('%o on %o', (entries, options, expected) => {
    expect(rightsOf(entries, options)).toEqual(expected);
  });
});

describe('denied entries', () => {
  it('keep full control if they deny nothing relevant', () => {
    for (const harmless of [
      deny(RIGHT.delete | RIGHT.deleteTree, undefined, { sid: EVERYONE }),
      deny(RIGHT.extended, CHANGE_PASSWORD, { sid: EVERYONE }),
      deny(RIGHT.write, DESCRIPTION),
    ])
      expect(rightsOf([harmless, allow(RIGHT.all)])).toEqual(['1101 GenericAll']);
  });

  it('keep full control of principals that may still write the list, and remove it from others', () => {
    expect(rightsOf([deny(RIGHT.extended, GUID.resetPassword), allow(RIGHT.all)])).toEqual([
      '1101 GenericAll',
    ]);
    expect(rightsOf([deny(RIGHT.all), allow(RIGHT.all)])).toEqual([]);
    const withoutList = rightsOf([deny(RIGHT.writeDacl), allow(RIGHT.all)]);
    expect(withoutList).toContain('1101 WriteOwner');
    expect(withoutList).toContain('1101 ForceChangePassword');
    expect(withoutList).not.toContain('1101 GenericAll');
  });

  it('apply to members of the denied group, and to everyone', () => {
    const ofBob = allow(RIGHT.writeDacl, undefined, { sid: BOB });
    expect(rightsOf([deny(RIGHT.writeDacl, undefined, { sid: TEAM }), ofBob])).toEqual([]);
    expect(rightsOf([deny(RIGHT.writeDacl, undefined, { sid: TEAM }), allow(RIGHT.writeDacl)])).toEqual([
      '1101 WriteDacl',
    ]);
    expect(rightsOf([deny(RIGHT.writeDacl, undefined, { sid: EVERYONE }), ofBob])).toEqual([]);
  });

  it('apply only before the granting entry', () => {
    expect(rightsOf([allow(RIGHT.writeDacl), deny(RIGHT.writeDacl)])).toEqual(['1101 WriteDacl']);
    const inherited = { flags: ENTRY_FLAG.inherited };
    expect(rightsOf([allow(RIGHT.writeDacl), deny(RIGHT.writeDacl, undefined, inherited)])).toEqual([
      '1101 WriteDacl',
    ]);
  });

  it('do not apply with a condition, which cannot be evaluated; rights with one do', () => {
    const condition = Buffer.from('artx');
    expect(rightsOf([deny(RIGHT.writeDacl, undefined, { condition }), allow(RIGHT.writeDacl)])).toEqual([
      '1101 WriteDacl',
    ]);
    expect(asked([allow(RIGHT.writeDacl, undefined, { condition })])).toMatchObject({ conditional: 1 });
    expect(rightsOf([allow(RIGHT.writeDacl, undefined, { condition })])).toEqual(['1101 WriteDacl']);
  });
});

describe('inheritance', () => {
  const inherited = ENTRY_FLAG.inherited;

  it('skips inherit-only entries, and entries for another class', () => {
    expect(rightsOf([allow(RIGHT.all, undefined, { flags: ENTRY_FLAG.inheritOnly })])).toEqual([]);
    const forUsers = allow(RIGHT.all, undefined, { flags: inherited, inheritedObjectType: CLASS.user });
    expect(rightsOf([forUsers])).toEqual(['1101 GenericAll inherited']);
    expect(rightsOf([forUsers], { objectClass: 'inetorgperson' })).toEqual([]);
  });

  it('marks a right that is granted twice as explicit', () => {
    expect(rightsOf([allow(RIGHT.all, undefined, { flags: inherited }), allow(RIGHT.all)])).toEqual([
      '1101 GenericAll',
    ]);
    expect(rightsOf([allow(RIGHT.all), allow(RIGHT.all, undefined, { flags: inherited })])).toEqual([
      '1101 GenericAll',
    ]);
  });

  it('marks an inherited right like the object that passes it on', () => {
    const unit = readDescriptor(
      descriptorBytes(OWNER, [allow(RIGHT.all, undefined, { flags: ENTRY_FLAG.container })]),
    );
    const { rights } = asked([allow(RIGHT.all, undefined, { flags: ENTRY_FLAG.container | inherited })]);
    const entry = rights.find(({ right }) => right === 'GenericAll')?.inheritedFrom;
    expect(inheritableHashes(unit)).toEqual([entry && inheritanceHash(entry)]);
  });
});

it('names the owner, and whether entries for OWNER RIGHTS limit it', () => {
  expect(asked([], { owner: ANN }).rights).toEqual([{ sid: ANN, right: 'Owns', inheritedFrom: undefined }]);
  expect(asked([], { owner: 'S-1-5-18' }).rights).toEqual([]);
  const limit = { sid: 'S-1-3-4', mask: RIGHT.readControl };
  expect(asked([limit])).toMatchObject({ limitsOwner: true, limitsOwnerByInheritance: false });
});
