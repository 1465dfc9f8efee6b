import { EDGE_KINDS } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { APPLICATION_ITEMS } from '../../test/azurehound/applicationItems.ts';
import { DIRECTORY_ITEMS } from '../../test/azurehound/directoryItems.ts';
import { principal } from '../../test/azurehound/itemRow.ts';
import { HIERARCHY_ITEMS, RESOURCE_ITEMS, SILENT_ITEMS } from '../../test/azurehound/resourceItems.ts';
import { ROLE_ITEMS } from '../../test/azurehound/roleItems.ts';
import { AZURE_CONVERTERS } from './converters.ts';
import { convertAzureItem } from './convertItem.ts';

const ROWS = [
  ...DIRECTORY_ITEMS,
  ...APPLICATION_ITEMS,
  ...ROLE_ITEMS,
  ...HIERARCHY_ITEMS,
  ...RESOURCE_ITEMS,
  ...SILENT_ITEMS,
];

function convert(kind: string, data: unknown) {
  const facts = convertAzureItem({ kind, data }, 7);
  return {
    facts,
    nodes: facts.nodes.map((node) => `${node.kinds.at(-1)} ${node.objectId}`),
    edges: facts.edgeSets
      .flatMap((set) => set.edges)
      .map((edge) => {
        const properties = edge.properties === undefined ? '' : ` ${JSON.stringify(edge.properties)}`;
        return `${edge.startId} ${edge.kind} ${edge.endId}${properties}`;
      }),
    sets: facts.edgeSets.map((set) => `${set.aspect} ${set.ownerId}`),
  };
}

describe('an AzureHound item', () => {
  test.each(ROWS)('%s: %s', (kind, _what, data, expected) => {
    const converted = convert(kind, data);
    expect(converted.facts.issues.filter((issue) => issue.severity === 'rejected')).toEqual([]);
    expect(converted.nodes).toEqual(expected.nodes ?? []);
    expect(converted.edges.sort()).toEqual([...(expected.edges ?? [])].sort());
    if (expected.sets !== undefined) expect(converted.sets.sort()).toEqual([...expected.sets].sort());
    if (expected.properties !== undefined) {
      expect(converted.facts.nodes[0].properties).toEqual(expected.properties);
    }
  });

  test('of every kind in the table has a row, and every collected edge kind occurs', () => {
    expect(new Set(ROWS.map(([kind]) => kind))).toEqual(new Set(Object.keys(AZURE_CONVERTERS)));
    const made = new Set(
      ROWS.flatMap(([kind, , data]) => convertAzureItem({ kind, data }, 0).edgeSets)
        .flatMap((set) => set.edges)
        .map((edge) => edge.kind),
    );
    // In the schema, but never produced (`docs/reference/collections.md#kinds`).
    const unused = ['AZGrant', 'AZGrantSelf'];
    const collected = EDGE_KINDS.filter((kind) => kind.platform === 'azure' && kind.origin !== 'derived')
      .map((kind) => kind.name)
      .filter((name) => !unused.includes(name));
    process.stdout.write(`azure edge kinds made by the reader: ${made.size} of ${collected.length}\n`);
    expect([...made].sort()).toEqual(collected.sort());
  });

  test.each<[string, unknown, string]>([
    ['no object', 5, 'the item is not an object'],
    ['no kind', { data: {} }, 'the item has no kind'],
    ['no data', { kind: 'AZUser' }, 'the item has no data object'],
    ['no id', { kind: 'AZUser', data: { displayName: 'x' } }, 'id is missing'],
    ['an id of the wrong type', { kind: 'AZUser', data: { id: 5 } }, 'id is not a text'],
    [
      'a list of the wrong type',
      { kind: 'AZGroupMember', data: { groupId: 'g', members: 'x' } },
      'members is not a list of objects',
    ],
    [
      'a flag of the wrong type',
      { kind: 'AZUser', data: { id: 'u', accountEnabled: 'yes' } },
      'accountEnabled is not a boolean',
    ],
  ])('with %s is rejected with its position and reason', (_, item, reason) => {
    const facts = convertAzureItem(item, 7);
    expect(facts).toMatchObject({
      nodes: [],
      edgeSets: [],
      issues: [{ severity: 'rejected', index: 7, reason }],
    });
  });

  test.each(['AZNew', 'toString', '__proto__', 'constructor'])(
    'of unknown kind %s causes a note, and no error',
    (kind) => {
      expect(convertAzureItem({ kind, data: { id: 'x' } }, 1)).toMatchObject({
        nodes: [],
        edgeSets: [],
        issues: [{ severity: 'note', reason: `items of kind "${kind}" are unknown and were skipped` }],
      });
    },
  );

  test('with elevated access is a role on the root management group only', () => {
    const root = '/providers/Microsoft.Management/managementGroups/00000009-0000-4000-8000-00000000000a';
    const holdersOf = (kind: string, field: string, id: string) =>
      convertAzureItem(
        {
          kind: `${kind}UserAccessAdmin`,
          data: {
            [field]: id,
            userAccessAdmins: [
              { [field]: id, userAccessAdmin: { properties: { principalId: 'p', scope: '/' } } },
            ],
          },
        },
        1,
      ).edgeSets.flatMap(({ edges }) =>
        edges.map(({ startId, kind: edge, endId, properties }) => [startId, edge, endId, properties]),
      );
    expect(holdersOf('AZManagementGroup', 'managementGroupId', root)).toEqual([
      ['P', 'AZUserAccessAdministrator', root.toUpperCase(), { assignmentscopes: ['/'] }],
    ]);
    const inner = '/providers/Microsoft.Management/managementGroups/inner';
    expect(holdersOf('AZManagementGroup', 'managementGroupId', inner)).toEqual([]);
    expect(holdersOf('AZSubscription', 'subscriptionId', '/subscriptions/s')).toEqual([]);
  });

  test('keeps the scopes of all assignments of a holder if one of them is above the object', () => {
    const main = '/subscriptions/main';
    const owner = (scope: string, assignedScope?: string) => ({
      subscriptionId: main,
      owner: { properties: { principalId: 'p', scope, assignedScope } },
    });
    const edgesOf = (...owners: readonly object[]) =>
      convert('AZSubscriptionOwner', { subscriptionId: main, owners }).edges;
    expect(edgesOf(owner(main), owner(main))).toEqual(['P AZOwner /SUBSCRIPTIONS/MAIN']);
    expect(edgesOf(owner(main), owner(main, '/providers/x/managementGroups/g'))).toEqual([
      'P AZOwner /SUBSCRIPTIONS/MAIN {"assignmentscopes":["/PROVIDERS/X/MANAGEMENTGROUPS/G","/SUBSCRIPTIONS/MAIN"]}',
    ]);
  });

  test('is read whatever the case of its members, as in files of older collectors', () => {
    expect(
      convert('AZGroupOwner', { GROUPID: 'g', Owners: [{ OWNER: principal('USER', 'u') }] }).edges,
    ).toEqual(['U AZOwns G']);
  });

  test('of any JSON never throws', () => {
    const kinds = fc.constantFrom(...Object.keys(AZURE_CONVERTERS));
    const data = fc.oneof(fc.jsonValue(), fc.constantFrom(...ROWS.map(([, , row]) => row)).chain(mutated));
    fc.assert(
      fc.property(kinds, data, (kind, value) => {
        const facts = convertAzureItem({ kind, data: value }, 0);
        for (const node of facts.nodes) expect(node.objectId).not.toBe('');
        for (const edge of facts.edgeSets.flatMap((set) => set.edges)) {
          expect(edge.startId).not.toBe('');
          expect(edge.endId).not.toBe('');
        }
      }),
    );
  });
});

/** The object with one of its members replaced by any JSON. */
function mutated(value: object): fc.Arbitrary<object> {
  const keys = Object.keys(value);
  if (keys.length === 0) return fc.constant(value);
  return fc
    .tuple(fc.constantFrom(...keys), fc.jsonValue())
    .map(([key, replacement]) => ({ ...value, [key]: replacement }));
}
