import { describe, expect, test } from 'vitest';
import { type ReadOptions, readCollection } from '../readCollection.ts';
import { sourceFromBytes } from '../source.ts';
import { UploadValidator } from '../uploadValidator.ts';

const METADATA = '"metadata":{"source_kind":"MyBase"}';
const NODES = '"nodes":[{"id":"a","kinds":["Person"]},{"id":"b","kinds":[]},{"kinds":["Person"]}]';
const EDGES = '"edges":[{"kind":"Knows","start":{"value":"a"},"end":{"value":"b"}},{"kind":"Knows"}]';

async function read(text: string, options: ReadOptions = {}) {
  const reading = readCollection(sourceFromBytes('graph.json', Buffer.from(text)), options);
  const facts = [];
  for await (const batch of reading) facts.push(...batch);
  return {
    nodes: facts.flatMap((object) => object.nodes).map((node) => `${node.kinds.join('+')} ${node.objectId}`),
    edges: facts.flatMap((object) => object.edgeSets).flatMap((set) => set.edges),
    report: reading.report,
  };
}

describe('an OpenGraph file', () => {
  test.each([
    ['metadata first', `{${METADATA},"graph":{${NODES},${EDGES}}}`],
    ['metadata last', `{"graph":{${NODES},${EDGES}},${METADATA}}`],
    ['edges first', `{"$schema":"x","graph":{${EDGES},${NODES}},${METADATA},"other":[1]}`],
    [
      'metadata far from the end',
      `{"graph":{${NODES},${EDGES}},${METADATA},"other":"${' '.repeat(100_000)}"}`,
    ],
  ])('with %s yields its valid objects and reports the others with their positions', async (_, text) => {
    const { nodes, edges, report } = await read(text);
    expect(nodes).toEqual(['MyBase+Person A', 'MyBase B']);
    expect(edges).toMatchObject([{ startId: 'A', startKind: '', kind: 'Knows', endId: 'B' }]);
    expect(report).toMatchObject({ format: 'opengraph', objects: { read: 3, repaired: 0, rejected: 2 } });
    expect(report.fault).toBeUndefined();
    expect(report.issues.every((issue) => (issue.offset ?? 0) > 0)).toBe(true);
  });

  const NOTHING = 'the graph has no nodes and no edges';
  test.each([
    ['{"graph":{}}', [NOTHING]],
    ['{"graph":{"nodes":[],"edges":[]},"metadata":{}}', [NOTHING]],
    [
      '{"graph":{"Nodes":[{"id":"a"}],"links":[]}}',
      ['unknown members of graph were ignored: "Nodes", "links"', NOTHING],
    ],
    [`{"graph":{${NODES}},${EDGES},"other":1}`, ['members outside of graph were ignored: "edges"']],
    [`{"graph":{"nodes":[{"id":"a","kinds":["Person"]}]}}`, []],
  ])('%s has notes about what it does not contain', async (text, reasons) => {
    const { report } = await read(text);
    const notes = report.issues.filter(({ severity }) => severity === 'note');
    expect(notes.map(({ reason }) => reason)).toEqual(reasons);
  });

  test('has notes about kinds that differ only in case from known ones', async () => {
    const graph = {
      nodes: [
        { id: 'a', kinds: ['user', 'User', 'Person'] },
        { id: 'b', kinds: ['user', 'ex_person', 'exbase'] },
        { id: 'c', kinds: ['EX_Person', 'EXBase'] },
      ],
      edges: [
        { kind: 'memberof', start: { value: 'a', kind: 'USER' }, end: { value: 'b', kind: 'User' } },
        { kind: 'ex_Knows', start: { value: 'a' }, end: { value: 'b' } },
        { kind: 'EX_Knows', start: { value: 'a' }, end: { value: 'b' } },
      ],
    };
    const text = JSON.stringify({ metadata: { source_kind: 'ExBase' }, graph });
    const declaredKinds = { nodes: ['EX_Person', 'EXBase'], edges: ['EX_Knows'] };
    const { report } = await read(text, { declaredKinds });
    const said = (what: string, name: string, meant: string, count?: number) => ({
      reason: `the ${what} kind "${name}" is not known, and is stored as a new kind: did you mean ${meant}?`,
      ...(count !== undefined && { count }),
    });
    expect(report.issues).toMatchObject([
      said('node', 'ExBase', 'EXBase'),
      said('node', 'user', 'User', 2),
      said('node', 'ex_person', 'EX_Person'),
      said('node', 'exbase', 'EXBase'),
      said('relationship', 'memberof', 'MemberOf'),
      said('node', 'USER', 'User'),
      said('relationship', 'ex_Knows', 'EX_Knows'),
    ]);
    expect(report.objects).toEqual({ read: 6, repaired: 0, rejected: 0 });
  });

  test('without metadata adds no kind', async () => {
    const { nodes } = await read(`{"graph":{${NODES}}}`);
    expect(nodes).toEqual(['Person A']);
  });

  test.each([
    ['of a source that keeps it', 'MyBase', '', 'Person a'],
    ['of another source', 'Other', '', 'Person A'],
    ['that says otherwise', 'MyBase', ',"case_sensitive_ids":false', 'Person A'],
    ['that says so itself', 'Other', ',"case_sensitive_ids":true', 'Person a'],
  ])('%s determines whether ids keep their case', async (_, source, said, expected) => {
    const metadata = `"metadata":{"source_kind":"MyBase"${said}}`;
    const { nodes } = await read(`{${metadata},"graph":{${NODES}}}`, {
      caseSensitiveSources: new Set([source]),
    });
    expect(nodes[0]).toBe(`MyBase+${expected}`);
  });

  test.each([
    ['{"graph":{"nodes":[]},"metadata":5}', 'invalid-metadata'],
    ['{"metadata":{"source_kind":"Tag_X"},"graph":{"nodes":[]}}', 'invalid-metadata'],
    ['{"metadata":{"source_kind":"x"}}', 'no-data'],
    ['{"graph":{"nodes":[]},"data":[]}', 'mixed-formats'],
    ['{"graph":{"nodes":{}}}', 'invalid-data'],
    ['{"graph":[]}', 'invalid-data'],
  ])('%s is refused with %s', async (text, code) => {
    const { report } = await read(text);
    expect(report.fault?.code).toBe(code);
  });

  test('that is cut off keeps the objects before', async () => {
    const text = `{${METADATA},"graph":{${NODES},${EDGES}}}`;
    const { nodes, report } = await read(text.slice(0, text.indexOf('"edges"') + 20));
    expect(nodes).toEqual(['MyBase+Person A', 'MyBase B']);
    expect(report.fault?.code).toBe('truncated');
  });

  test('passes the upload check', () => {
    const validator = new UploadValidator();
    validator.write(Buffer.from(`{"graph":{${NODES}},${METADATA}}`));
    expect(validator.finish()).toMatchObject({
      code: 'schema',
      problems: ['graph.nodes[2].id must be a text that is not empty'],
    });
  });
});

describe('an AzureHound file', () => {
  const user = '{"kind":"AZUser","data":{"id":"u1","userPrincipalName":"a@b","tenantId":"t"}}';

  test.each([
    [
      'meta last',
      `{"data":[${user},{"kind":"AZNew","data":{}},5],"meta":{"type":"azure","version":5,"count":3}}`,
    ],
    [
      'meta first',
      `{"meta":{"type":"azure","version":0,"count":0},"data":[${user},{"kind":"AZNew","data":{}},5]}`,
    ],
  ])(
    'with %s yields its items; unknown kinds cause notes and invalid items are rejected',
    async (_, text) => {
      const { nodes, report } = await read(text);
      expect(nodes).toEqual(['AZBase+AZUser U1']);
      expect(report).toMatchObject({
        format: 'azurehound',
        type: 'azure',
        objects: { read: 2, repaired: 0, rejected: 1 },
        issues: [
          { severity: 'note', object: 'AZNew' },
          { severity: 'rejected', index: 2 },
        ],
      });
    },
  );
});
