/** Tests of definitions: what they may hold, and each fault at its place. */
import { expect, test } from 'vitest';
import { checkDefinition } from './checkDefinition.ts';
import { NOTHING_INSTALLED } from './installedKinds.ts';

const DEFINITION = {
  schema: { name: 'Desk', display_name: 'Desk', version: 'v1.0.0', namespace: 'Desk' },
  node_kinds: [{ name: 'Desk_Agent', display_name: 'Agent' }],
  relationship_kinds: [{ name: 'Desk_Edits', is_traversable: true }, { name: 'Desk_Knows' }],
  node_findings: [
    { name: 'Desk_Shared', title: 'Shared', severity: 'low', cypher: 'MATCH (n:Desk_Agent) RETURN n' },
  ],
  saved_searches: [{ name: 'Agents', query: 'MATCH (n:Desk_Agent) RETURN n' }],
};
const PAYLOAD = { graph: { nodes: [], edges: [] } };

const checked = (tests: unknown) =>
  checkDefinition({ ...DEFINITION, tests }, NOTHING_INSTALLED, ['samples/a.json']);

async function faultsOf(tests: unknown): Promise<readonly string[]> {
  const found = await checked(tests);
  return 'faults' in found ? found.faults.texts() : [];
}

test('a test has data, and the expected results of each part', async () => {
  const expected = {
    node_findings: { Desk_Shared: ['A', 'B'] },
    relationship_findings: { Desk_Edits: 2 },
    saved_searches: { Agents: 0 },
  };
  const found = await checked([{ name: 'All', data: ['samples/a.json', PAYLOAD], expect: expected }]);
  if ('faults' in found) throw new Error(found.faults.texts().join());
  expect(found.tests).toEqual([
    {
      ...{ name: 'All', data: ['samples/a.json', PAYLOAD] },
      expectations: [
        { part: 'node_findings', name: 'Desk_Shared', finds: ['A', 'B'] },
        { part: 'relationship_findings', name: 'Desk_Edits', finds: 2 },
        { part: 'saved_searches', name: 'Agents', finds: 0 },
      ],
    },
  ]);
  expect('tests' in found.definition).toBe(false);
});

test('each error of a test is reported with its place', async () => {
  const good = { name: 'T', data: PAYLOAD, expect: { node_findings: { Desk_Shared: 1 } } };
  const faults = await faultsOf([
    { ...good, name: undefined },
    { ...good, data: undefined },
    { ...good, data: 'samples/b.json' },
    { ...good, data: [7, { nodes: [] }] },
    { ...good, expect: undefined },
    { ...good, expect: {} },
    { ...good, expect: { node_finding: {} } },
    { ...good, expect: { node_findings: { Desk_Share: 1 } } },
    { ...good, expect: { node_findings: { Desk_Shared: -1 } } },
    { ...good, expect: { relationship_findings: { Desk_Knows: 1 } } },
    { ...good, expect: { saved_searches: { Agents: ['A'] } } },
  ]);
  expect(faults).toEqual([
    '/tests/0/name: is missing',
    '/tests/1/data: is missing',
    expect.stringMatching(
      /^\/tests\/2\/data: is not a file of this bundle: .*did you mean samples\/a\.json\?$/,
    ),
    expect.stringMatching(/^\/tests\/3\/data\/0: is neither a payload nor the path of one/),
    expect.stringMatching(/^\/tests\/3\/data\/1: is not an OpenGraph payload/),
    '/tests/4/expect: is missing',
    '/tests/5/expect: is empty',
    expect.stringMatching(/^\/tests\/6\/expect\/node_finding: is not one of .*did you mean node_findings\?$/),
    expect.stringMatching(/^\/tests\/7\/expect\/node_findings\/Desk_Share: .*did you mean Desk_Shared\?$/),
    expect.stringMatching(/^\/tests\/8\/expect\/node_findings\/Desk_Shared: is not an integer of at least 0/),
    expect.stringMatching(/^\/tests\/9\/expect\/relationship_findings\/Desk_Knows: is not an entry/),
    expect.stringMatching(/^\/tests\/10\/expect\/saved_searches\/Agents: is a list/),
  ]);
});
