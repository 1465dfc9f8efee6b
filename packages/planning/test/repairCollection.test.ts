import { readCollection, sourceFromBytes } from '@clew/collections';
import { generateForest } from '@clew/synthetic';
import { describe, expect, it } from 'vitest';
import {
  changeRecords,
  type DeclaredChange,
  type EditableFile,
  editableFile,
  makeDeclared,
} from './repairCollection.ts';

const files = [...generateForest({ users: 30, seed: 5, shape: 2 }).files];

async function edgesOf(edited: readonly EditableFile[]): Promise<Set<string>> {
  const edges = new Set<string>();
  for (const [at, { type, records }] of edited.entries()) {
    const meta = { type, version: 6, methods: 521_215, count: records.length };
    const bytes = Buffer.from(JSON.stringify({ data: records, meta }));
    for await (const batch of readCollection(sourceFromBytes(`${at}-${type}.json`, bytes)))
      for (const { edgeSets } of batch)
        for (const { startId, kind, endId } of edgeSets.flatMap((set) => set.edges))
          edges.add(`${startId} ${kind} ${endId}`);
  }
  return edges;
}

const before = await edgesOf(files.map(editableFile));
const all = [...before].map((edge) => edge.split(' ') as [string, string, string]);

/** Repairs that are not separate changes: defaults of Windows, and derived relationships. */
const NOT_CHANGED = new Set([
  ...['LocalToComputer', 'HostsCAService', 'SameForestTrust', 'CrossForestTrust', 'DCFor'],
  ...['RootCAFor', 'NTAuthStoreFor', 'EnterpriseCAFor', 'IssuedSignedBy', 'TrustedForNTAuth', 'OIDGroupLink'],
]);
const kinds = [...new Set(all.map(([, kind]) => kind))].filter((kind) => !NOT_CHANGED.has(kind)).sort();

/** A listed membership, or a right held in only one way. */
const first = (kind: string): [string, string, string] => {
  const primary = new Set(
    files
      .map(editableFile)
      .flatMap(({ records }) =>
        records.map((one) => `${one.ObjectIdentifier} MemberOf ${one.PrimaryGroupSID}`),
      ),
  );
  return all.find((edge) => edge[1] === kind && !primary.has(edge.join(' '))) as [string, string, string];
};

describe('a change of the records of a collection', () => {
  it('knows the kinds that repairs remove', () => {
    for (const kind of ['MemberOf', 'HasSession', 'GPLink', 'Contains', 'PublishedTo', 'GenericAll'])
      expect(kinds).toContain(kind);
  });

  it.each(kinds)('removes a relation %s and nothing else', async (kind) => {
    const [start, , end] = first(kind);
    const edited = files.map(editableFile);
    changeRecords(edited, { removed: [{ start, kind, end }], properties: [] });
    const after = await edgesOf(edited);
    const gone = [...before].filter((edge) => !after.has(edge));
    // A local group without members is not reported.
    const expected = gone.filter((edge) => !edge.includes(' LocalToComputer '));
    expect(expected).toEqual([`${start} ${kind} ${end}`]);
    expect([...after].filter((edge) => !before.has(edge))).toEqual([]);
  });

  it('moves an object into the named container', async () => {
    const units = files.filter(({ type }) => type === 'ous').flatMap((file) => editableFile(file).records);
    const target = units[0].ObjectIdentifier;
    const [start, kind, end] = all.find(
      (edge) => edge[1] === 'Contains' && edge[0] !== target && /-\d{4,}$/.test(edge[2]),
    ) as [string, string, string];
    const edited = files.map(editableFile);
    changeRecords(edited, { removed: [{ start, kind, end, target }], properties: [] });
    const after = await edgesOf(edited);
    expect([...before].filter((edge) => !after.has(edge))).toEqual([`${start} Contains ${end}`]);
    expect([...after].filter((edge) => !before.has(edge))).toEqual([`${target} Contains ${end}`]);
    const nowhere = { removed: [{ start, kind, end, target: 'NOWHERE' }], properties: [] };
    expect(() => changeRecords(files.map(editableFile), nowhere)).toThrow('does not describe NOWHERE');
  });

  it('makes declared changes once, and moves objects into an own container', async () => {
    const [start, kind, end] = all.find((edge) => edge[1] === 'Contains' && /-\d{4,}$/.test(edge[2])) as [
      string,
      string,
      string,
    ];
    const [source, , target] = first('MemberOf');
    const declared = (from: string, relation: string, to: string, engine: string): DeclaredChange => ({
      ...{ removed: [{ source: { object_id: from }, relation, target: { object_id: to } }], engine },
      values: [{ object: { object_id: source }, property: 'enabled', wanted: 'declared' }],
    });
    const member = declared(source, 'MemberOf', target, 'Member');
    const edited = files.map(editableFile);
    makeDeclared(edited, [member, declared(start, kind, end, 'Move'), member]);
    const after = await edgesOf(edited);
    expect([...before].filter((edge) => !after.has(edge)).sort()).toEqual(
      [`${source} MemberOf ${target}`, `${start} Contains ${end}`].sort(),
    );
    const added = [...after].filter((edge) => !before.has(edge));
    const container = added.find((edge) => edge.endsWith(` Contains ${end}`))?.split(' ')[0];
    expect(added.filter((edge) => !edge.includes(container ?? '?'))).toEqual([]);
    const records = edited.flatMap((file) => file.records);
    expect(records.find((one) => one.ObjectIdentifier === source)?.Properties.enabled).toBe('declared');
  });

  it('writes settings where collectors do', () => {
    const edited = files.map(editableFile);
    const authority = edited.find(({ type }) => type === 'enterprisecas')?.records[0];
    const template = edited.find(({ type }) => type === 'certtemplates')?.records[0];
    changeRecords(edited, {
      removed: [],
      properties: [
        { objectId: authority.ObjectIdentifier, key: 'isuserspecifiessanenabled', value: false },
        { objectId: template.ObjectIdentifier, key: 'enrolleesuppliessubject', value: false },
      ],
    });
    expect(authority.CARegistryData.IsUserSpecifiesSanEnabled.Value).toBe(false);
    expect(template.Properties.enrolleesuppliessubject).toBe(false);
  });

  it('fails for values that the collection does not have, or cannot express', () => {
    const [start, , end] = first('MemberOf');
    const remove = (removed: { start: string; kind: string; end: string }) => () =>
      changeRecords(files.map(editableFile), { removed: [removed], properties: [] });
    expect(remove({ start: end, kind: 'MemberOf', end })).toThrow(/does not have MemberOf/);
    expect(remove({ start, kind: 'MemberOf', end: 'S-1-9' })).toThrow(/does not describe S-1-9/);
    expect(remove({ start, kind: 'DCFor', end })).toThrow(/no record of a collection says DCFor/);
  });

  it('takes a member of a policy from all of its computers, or says which are left', () => {
    const policy = (): EditableFile[] => [
      {
        type: 'ous',
        records: [
          {
            ObjectIdentifier: 'OU',
            GPOChanges: {
              LocalAdmins: [{ ObjectIdentifier: 'M' }],
              AffectedComputers: [{ ObjectIdentifier: 'C1' }, { ObjectIdentifier: 'C2' }],
            },
          },
        ],
      },
    ];
    const edge = (computer: string) => ({ start: 'M', kind: 'MemberOfLocalGroup', end: `${computer}-544` });
    const both = policy();
    changeRecords(both, { removed: [edge('C1'), edge('C2')], properties: [] });
    expect(both[0]?.records[0].GPOChanges.LocalAdmins).toEqual([]);
    expect(() => changeRecords(policy(), { removed: [edge('C1')], properties: [] })).toThrow(
      'a policy makes M one of LocalAdmins of C2 as well',
    );
  });
});
