import { EdgeFlag, OWNERLESS } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertEdge, convertNode } from './convert.ts';

const edge = (parts: object = {}) => ({
  kind: 'Knows',
  start: { value: 'a' },
  end: { value: 'b' },
  ...parts,
});
const reasons = (facts: { issues: readonly { reason: string }[] }) =>
  facts.issues.map((issue) => issue.reason);

describe('an OpenGraph node', () => {
  test('becomes a fact with its id in upper case and its first kind as primary', () => {
    const node = {
      id: 'n-1',
      kinds: ['Person', 'Clerk'],
      properties: { displayname: 'bob', name: 'bob', reconcile: true },
    };
    expect(convertNode(node, 0, { sourceKind: 'Source' })).toEqual({
      index: 0,
      nodes: [
        {
          objectId: 'N-1',
          kinds: ['Source', 'Person', 'Clerk'],
          properties: { displayname: 'bob', name: 'BOB', primarykind: 'Person' },
          described: false,
        },
      ],
      edgeSets: [],
      issues: [],
    });
  });

  test.each([
    ['User', ['Base', 'User']],
    ['AZUser', ['AZBase', 'AZUser']],
  ])('of the built-in kind %s is used in analysis', (kind, kinds) => {
    expect(convertNode({ id: 'x', kinds: [kind] }, 0, {}).nodes[0].kinds).toEqual(kinds);
  });

  test('marked as derived in an export is left to analysis, unless its kind is not built in', () => {
    const derived = { id: 'x', properties: { derived: true } };
    expect(convertNode({ ...derived, kinds: ['Base', 'Group'] }, 0, {})).toMatchObject({
      nodes: [],
      issues: [{ severity: 'note' }],
    });
    expect(convertNode({ ...derived, kinds: ['Person'] }, 0, {}).nodes).toHaveLength(1);
  });

  test('may lack kinds if the payload has a source kind', () => {
    expect(
      convertNode({ id: 'x', kinds: [], properties: null }, 0, { sourceKind: 'Source' }).nodes[0],
    ).toMatchObject({
      kinds: ['Source'],
      properties: {},
    });
  });

  test.each<[string, unknown, string]>([
    ['no object', 'text', 'graph.nodes[4] must be an object'],
    ['no id', { kinds: ['A'] }, 'graph.nodes[4].id must be a text that is not empty'],
    ['no kinds', { id: 'x' }, 'graph.nodes[4].kinds must be a list of texts'],
    [
      'zero kinds',
      { id: 'x', kinds: [] },
      'graph.nodes[4].kinds must have at least one kind when there is no source kind',
    ],
    [
      'four kinds',
      { id: 'x', kinds: ['A', 'B', 'C', 'D'] },
      'graph.nodes[4].kinds must not have more than 3 entries that are not built in',
    ],
    [
      'a tag kind',
      { id: 'x', kinds: ['tag_zero'] },
      'graph.nodes[4].kinds[0] must not begin with Tag_, which is reserved',
    ],
    ...([null, {}, [1, 'a'], [[1]], [null]] as unknown[]).map((value): [string, unknown, string] => [
      `the property ${JSON.stringify(value)}`,
      { id: 'x', kinds: ['A'], properties: { p: value } },
      'graph.nodes[4].properties.p must be a text, a number, a boolean, or a list of one of these',
    ]),
  ])('with %s is rejected with its position', (_, value, reason) => {
    const facts = convertNode(value, 4, {});
    expect(facts).toMatchObject({ nodes: [], edgeSets: [] });
    expect(reasons(facts)).toEqual([reason]);
  });
});

describe('an OpenGraph edge', () => {
  test('between ids becomes an edge of its start, in addition to known ones', () => {
    const facts = convertEdge(edge({ start: { value: 'a', kind: 'Person' }, properties: { since: 5 } }), 1, {
      sourceKind: 'Source',
    });
    expect(facts.edgeSets).toEqual([
      {
        ownerId: 'A',
        ownerKind: 'Person',
        aspect: 'opengraph',
        edges: [
          {
            startId: 'A',
            startKind: 'Person',
            kind: 'Knows',
            endId: 'B',
            endKind: '',
            flags: 0,
            properties: { since: 5 },
          },
        ],
        matchedEdges: [],
        replaces: false,
      },
    ]);
  });

  test('by name or properties is resolved by the store, in the form it stores', () => {
    const facts = convertEdge(
      edge({
        start: { match_by: 'name', value: 'Bob', kind: 'Person' },
        end: { match_by: 'property', property_matchers: [{ key: 'level', operator: 'equals', value: 3 }] },
      }),
      0,
      {},
    );
    expect(facts.edgeSets[0]).toMatchObject({
      ownerId: OWNERLESS,
      edges: [],
      matchedEdges: [
        {
          start: { matchers: [{ key: 'name', value: 'BOB' }], kind: 'Person' },
          end: { matchers: [{ key: 'level', value: 3 }] },
          createMissing: false,
        },
      ],
    });
  });

  test('assigns no source kind to its ends: they may be from another source', () => {
    const facts = convertEdge(edge({ start: { value: 'a', kind: 'User' } }), 1, { sourceKind: 'Source' });
    expect(facts.nodes).toEqual([]);
    expect(facts.edgeSets[0].edges).toMatchObject([{ startKind: 'User', endKind: '' }]);
  });

  test('to a local group also leads to its computer, whose id the group id starts with', () => {
    const member = (value: string) =>
      convertEdge(edge({ kind: 'MemberOfLocalGroup', end: { value } }), 0, {}).edgeSets[0]?.edges.slice(1);
    expect(member('s-1-5-21-1-2-3-1104-544')).toMatchObject([
      { startId: 'S-1-5-21-1-2-3-1104-544', kind: 'LocalToComputer', endId: 'S-1-5-21-1-2-3-1104' },
    ]);
    expect(member('S-1-5-21-1-2-3-512')).toEqual([]);
    expect(member('group')).toEqual([]);
  });

  test('of a built-in kind has the bits that rules read', () => {
    const flagsOf = (kind: string, properties: object) =>
      convertEdge(edge({ kind, properties }), 0, {}).edgeSets[0].edges[0].flags;
    expect(flagsOf('GenericAll', { isacl: true, isinherited: true })).toBe(
      EdgeFlag.HasAcl | EdgeFlag.Acl | EdgeFlag.Inherited,
    );
    expect(flagsOf('GenericAll', {})).toBe(EdgeFlag.HasAcl | EdgeFlag.Acl);
    expect(flagsOf('GPLink', { isacl: false, enforced: true })).toBe(EdgeFlag.HasAcl | EdgeFlag.Enforced);
    expect(flagsOf('Knows', { isinherited: false })).toBe(0);
  });

  test('marked as derived in an export is left to analysis, unless its kind is not built in', () => {
    const derived = convertEdge(edge({ kind: 'DCSync', properties: { derived: true } }), 0, {});
    expect(derived).toMatchObject({ edgeSets: [], issues: [{ severity: 'note' }] });
    expect(convertEdge(edge({ kind: 'DCSync' }), 0, {}).edgeSets).toHaveLength(1);
    expect(convertEdge(edge({ properties: { derived: true } }), 0, {}).edgeSets).toHaveLength(1);
  });

  test.each<[string, unknown, string]>([
    ['no object', 5, 'graph.edges[2] must be an object'],
    [
      'a kind with blanks',
      edge({ kind: 'has blank' }),
      'graph.edges[2].kind must be a text of letters, digits and underscores',
    ],
    [
      'a tag kind',
      edge({ kind: 'Tag_X' }),
      'graph.edges[2].kind must not begin with Tag_, which is reserved',
    ],
    ['no start', edge({ start: undefined }), 'graph.edges[2].start must be an object'],
    [
      'an unknown match',
      edge({ end: { match_by: 'guess', value: 'x' } }),
      'graph.edges[2].end.match_by must be id, name or property',
    ],
    ['no value', edge({ end: {} }), 'graph.edges[2].end.value must be a text that is not empty'],
    [
      'a value together with matchers',
      edge({
        end: {
          value: 'x',
          match_by: 'property',
          property_matchers: [{ key: 'k', operator: 'equals', value: 1 }],
        },
      }),
      'graph.edges[2].end.value is not allowed with match_by property',
    ],
    [
      'no matchers',
      edge({ end: { match_by: 'property', property_matchers: [] } }),
      'graph.edges[2].end.property_matchers must be a list with at least one matcher',
    ],
    [
      'an unknown operator',
      edge({
        end: { match_by: 'property', property_matchers: [{ key: 'k', operator: 'like', value: 'x' }] },
      }),
      'graph.edges[2].end.property_matchers[0].operator must be equals',
    ],
    [
      'matchers together with an id',
      edge({ end: { value: 'x', property_matchers: [] } }),
      'graph.edges[2].end.property_matchers needs match_by property',
    ],
    [
      'a mixed property',
      edge({ properties: { p: ['a', 1] } }),
      'graph.edges[2].properties.p must be a text, a number, a boolean, or a list of one of these',
    ],
  ])('with %s is rejected with its position', (_, value, reason) => {
    const facts = convertEdge(value, 2, {});
    expect(facts.edgeSets).toEqual([]);
    expect(reasons(facts)).toEqual([reason]);
  });
});

test('a kind that is an object with a member named like a method is refused', () => {
  const { nodes, issues } = convertNode({ id: 'A', kinds: [{ toString: '' }] }, 0, {});
  expect([nodes.length, issues.length]).toEqual([0, 1]);
});

test('no JSON value makes a reader throw, and accepted objects have ids', () => {
  const endpoint = fc.record(
    {
      value: fc.jsonValue(),
      match_by: fc.constantFrom('id', 'name', 'property', 'x'),
      property_matchers: fc.jsonValue(),
      kind: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const thing = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        id: fc.jsonValue(),
        kinds: fc.jsonValue(),
        kind: fc.jsonValue(),
        start: endpoint,
        end: endpoint,
        properties: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(thing, fc.option(fc.string({ minLength: 1 }), { nil: undefined }), (value, sourceKind) => {
      const node = convertNode(value, 0, { sourceKind });
      expect(node.nodes.length > 0).toBe(node.issues.length === 0);
      for (const { objectId, kinds } of node.nodes) {
        expect(objectId).not.toBe('');
        expect(kinds).not.toEqual([]);
      }
      const facts = convertEdge(value, 0, { sourceKind });
      for (const found of facts.edgeSets.flatMap((set) => set.edges)) {
        expect([found.startId, found.endId]).not.toContain('');
      }
    }),
  );
});

describe('tolerant intake', () => {
  test.each([
    ['x', 0],
    ['X', 0],
    ['y', 1],
    [5, 1],
  ])('accepts the property objectid %j, and warns if it differs from the id', (objectid, warnings) => {
    const { nodes, issues } = convertNode({ id: 'x', kinds: ['A'], properties: { objectid, a: 1 } }, 0, {});
    expect(nodes[0].properties).toEqual({ a: 1, primarykind: 'A' });
    expect(issues.map(({ severity }) => severity)).toEqual(Array(warnings).fill('note'));
  });

  test.each(['a:b', 'a/b/c', 'two words', 'MiXed', 'urn:x:/Y z'])('keeps the id %j', (id) => {
    expect(convertNode({ id, kinds: ['A'] }, 0, {}).nodes[0].objectId).toBe(id.toUpperCase());
    const edge = { kind: 'Knows', start: { value: id }, end: { value: 'b' } };
    expect(convertEdge(edge, 0, {}).edgeSets[0].edges[0].startId).toBe(id.toUpperCase());
  });

  test('warns only of relationships that analysis derives again', () => {
    const edge = (kind: string) => ({ kind, start: { value: 'a' }, end: { value: 'b' } });
    expect(convertEdge(edge('AdminTo'), 0, {}).issues).toMatchObject([
      { severity: 'note', reason: expect.stringContaining('AdminTo') },
    ]);
    for (const kind of ['MemberOf', 'GenericAll', 'Knows'])
      expect(convertEdge(edge(kind), 0, {}).issues).toEqual([]);
  });
});

describe('a payload with case-sensitive ids', () => {
  const payload = { sourceKind: 'GHBase', keepsCase: true } as const;

  test.each([
    // Objects of Active Directory and Entra ID collectors have ids in upper case, whatever their case in the payload.
    ['s-1-5-21-1-2-3-1104', undefined, true],
    ['corp.local-s-1-5-32-544', undefined, true],
    ['6f0bbd3e-8c32-4a3c-9d5e-0a3f0c6f0a11', undefined, true],
    ['/subscriptions/6f0bbd3e/resourcegroups/rg', 'AZResourceGroup', true],
    ['cn=ann,dc=corp', 'User', true],
    ['U_kgDOa', 'GH_User', false],
    ['U_kgDOa', undefined, false],
    ['6f0bbd3e-8c32', undefined, false],
  ])('names the end %s of kind %s in upper case: %s', (value, kind, isUpper) => {
    const end = { value, ...(kind === undefined ? {} : { kind }) };
    const { edgeSets } = convertEdge({ kind: 'GH_Is', start: { value: 'u_a' }, end }, 0, payload);
    const { startId, endId } = edgeSets[0].edges[0];
    expect([startId, endId]).toEqual(['u_a', isUpper ? value.toUpperCase() : value]);
  });

  test('keeps the case of ids, and of the environment that nodes name', () => {
    const properties = { name: 'a', environmentid: 'O_kgDoB', objectid: 'U_kgDoa' };
    const { nodes, issues } = convertNode({ id: 'U_kgDoa', kinds: ['A'], properties }, 0, payload);
    expect(nodes[0]).toMatchObject({
      objectId: 'U_kgDoa',
      properties: { name: 'A', environmentid: 'O_kgDoB' },
    });
    expect(issues).toEqual([]);
    const { edgeSets } = convertEdge(edge({ start: { value: 'aB' }, end: { value: 'Ab' } }), 0, payload);
    expect(edgeSets[0]).toMatchObject({ ownerId: 'aB', edges: [{ startId: 'aB', endId: 'Ab' }] });
  });
});
