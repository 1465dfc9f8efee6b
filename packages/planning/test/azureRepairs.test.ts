import { readCollection, sourceFromBytes } from '@clew/collections';
import { generateTenant } from '@clew/synthetic';
import { expect, it } from 'vitest';
import { changeRecords, type EditableFile } from './repairCollection.ts';

const text = [...generateTenant({ users: 400, seed: 5 }).file.text(() => {})].join('');
const tenant = (): EditableFile => ({ type: 'azure', records: JSON.parse(text).data });

async function edgesOf({ records }: EditableFile): Promise<Set<string>> {
  const meta = { type: 'azure', version: 5, count: records.length };
  const bytes = Buffer.from(JSON.stringify({ data: records, meta }));
  const edges = new Set<string>();
  for await (const batch of readCollection(sourceFromBytes('azure.json', bytes)))
    for (const { startId, kind, endId } of batch.flatMap(({ edgeSets }) =>
      edgeSets.flatMap((set) => set.edges),
    ))
      edges.add(`${startId} ${kind} ${endId}`);
  return edges;
}

const before = await edgesOf(tenant());
const KINDS = [
  ...['AZMemberOf', 'AZOwns', 'AZHasRole', 'AZRoleEligible', 'AZOwner', 'AZContributor'],
  ...['AZUserAccessAdministrator', 'AZMGApplication_ReadWrite_All', 'AZMGRoleManagement_ReadWrite_Directory'],
];

it.each(KINDS)('a change of the items of a tenant removes a relation %s and nothing else', async (kind) => {
  const edge = [...before].find((one) => one.split(' ')[1] === kind);
  expect(edge).toBeDefined();
  const [start, , end] = (edge as string).split(' ') as [string, string, string];
  const edited = tenant();
  changeRecords([edited], { removed: [{ start, kind, end }], properties: [] });
  const after = await edgesOf(edited);
  expect([...before].filter((one) => !after.has(one))).toEqual([edge]);
  expect([...after].filter((one) => !before.has(one))).toEqual([]);
});

it('a change of a tenant ends the synchronization of a user, which is a property of it', () => {
  const edited = tenant();
  const user = edited.records.find(
    ({ kind, data }) => kind === 'AZUser' && data.onPremisesSyncEnabled === true,
  );
  const property = { objectId: user.data.id.toUpperCase(), key: 'onpremsyncenabled', value: false };
  changeRecords([edited], { removed: [], properties: [property] });
  expect(user.data.onPremisesSyncEnabled).toBeUndefined();
});

it('a change of a tenant fails for a relation that it does not have', () => {
  const removed = [{ start: 'A', kind: 'AZOwns', end: 'B' }];
  expect(() => changeRecords([tenant()], { removed, properties: [] })).toThrow(/does not have AZOwns/);
});
