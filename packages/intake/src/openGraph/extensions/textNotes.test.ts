/** Queries of definitions and checks, compiled: by kind of text, and by their faults. */
import { describe, expect, test } from 'vitest';
import { checkDefinition } from './checkDefinition.ts';
import { readCheck } from './checkMembers.ts';
import { NOTHING_INSTALLED } from './installedKinds.ts';
import { NO_OTHER_NAMES } from './knownNames.ts';

const DEFINITION = {
  schema: { name: 'Desk', display_name: 'Desk', version: 'v1.0.0', namespace: 'Desk' },
  node_kinds: [{ name: 'Desk_Agent', display_name: 'Agent', is_display_kind: true }],
  relationship_kinds: [
    { name: 'Desk_Edits', is_traversable: true },
    { name: 'Desk_Becomes', is_traversable: true },
  ],
  environments: [],
};
const NAMES = {
  ...NO_OTHER_NAMES,
  labels: new Set(['Hub_Repository', 'Desk_Generic']),
  properties: new Set(['shared', 'login']),
};

/** A text in each part that has one. */
const PARTS = {
  check: (cypher: string) => ({
    node_findings: [{ name: 'Desk_Found', title: 'Found', severity: 'low', cypher }],
  }),
  rule: (cypher: string) => ({ privilege_zone_rules: [{ name: 'Rule', cypher }] }),
  search: (query: string) => ({ saved_searches: [{ name: 'Search', query }] }),
  pattern: (pattern: string) => ({
    derived_relationships: [{ kind: 'Desk_Becomes', pattern, start: 'a', end: 'b', reason: 'So' }],
  }),
} as const;
type PartName = keyof typeof PARTS;

async function notes(part: PartName, text: string) {
  const document = { ...DEFINITION, ...PARTS[part](text) };
  const checked = await checkDefinition(document, { ...NOTHING_INSTALLED, names: NAMES });
  const [faults, warnings] =
    'faults' in checked
      ? [checked.faults.texts(), checked.faults.warnings()]
      : [[], checked.warnings.warnings()];
  return { faults, warnings };
}

const says = (message: string) => [expect.stringContaining(message)];

test.each([
  ['check', 'MATCH (n:Desk_Agent) RETURN n, n.shared'],
  ['check', 'MATCH (n:Desk_Agent)-[:Desk_Edits|DESK_ATTACK_PATHS]->(m) RETURN m, count(n) AS editors'],
  ['check', 'MATCH (n:User) WHERE n.hasspn AND n:Tag_Tier_Zero RETURN n'],
  ['rule', 'MATCH p = (:Desk_Agent)-[:Desk_Edits]->() RETURN p'],
  ['rule', 'MATCH (n:Hub_Repository) WITH n, count(*) AS c WHERE c > 1 RETURN n'],
  ['rule', 'MATCH (n:Desk_Agent) RETURN collect(n)'],
  ['search', 'MATCH (n:Desk_Agent {login: $login}) RETURN count(n) LIMIT $most'],
  ['pattern', 'MATCH (a:Desk_Agent)-[:Desk_Edits]->(b:User) WHERE a.login = b.userprincipalname'],
] as const)('a %s is taken without a word: %s', async (part, text) => {
  expect(await notes(part, text)).toEqual({ faults: [], warnings: [] });
});

describe('invalid texts are rejected, with their position', () => {
  const CASES = [
    ['MATCH (n:Desk_Agent) RETURN m', 'the variable `m` is not defined: did you mean n?'],
    ['MATCH (n:Desk_Agent) WHERE x.y = 1 RETURN n', 'the variable `x` is not defined'],
    ['MATCH (n:Desk_Agent) WHERE toUpperCase(n.name) = 1 RETURN n', 'write toUpper'],
    [
      'MATCH (n:Desk_Agnt) RETURN n',
      '`Desk_Agnt` is not a node kind of this definition: did you mean Desk_Agent?',
    ],
    ['MATCH (n:Desk_Generic) RETURN n', '`Desk_Generic` is not a node kind of this definition'],
    ['MATCH (n:Desk_Edits) RETURN n', '`Desk_Edits` is not a node kind of this definition'],
    [
      'MATCH (n)-[:Desk_Edit]->() RETURN n',
      '`Desk_Edit` is not a relationship kind of this definition: did you mean Desk_Edits?',
    ],
    ["MATCH (n)-[r]->() WHERE type(r) = 'Desk_Eddits' RETURN n", 'did you mean Desk_Edits?'],
    ["MATCH (n) WHERE 'Desk_Agen' IN labels(n) RETURN n", 'did you mean Desk_Agent?'],
  ] as const;
  test.each(CASES)('%s', async (text, message) => {
    for (const part of ['check', 'rule'] as const) {
      const { faults, warnings } = await notes(part, text);
      expect([faults, warnings]).toEqual([says(message), []]);
      expect(faults[0]).toMatch(/^\/(node_findings|privilege_zone_rules)\/0\/cypher: .*line 1:\d+ /);
    }
  });

  test.each(CASES)('a search keeps it, with a warning: %s', async (text, message) => {
    const { faults, warnings } = await notes('search', text);
    expect([faults, warnings]).toEqual([[], says(message)]);
    expect(warnings[0]).toMatch(/; it is kept unchanged$/);
  });

  test.each([
    ['MATCH (a:Desk_Agnt)-[:Desk_Edits]->(b:User)', 'did you mean Desk_Agent?'],
    ['MATCH (a:Desk_Agent)-[:Desk_Edits]->(b:User) WHERE c.name = 1', 'the variable `c` is not defined'],
  ])('a pattern: %s', async (text, message) => {
    expect((await notes('pattern', text)).faults).toEqual(says(message));
  });
});

test.each([
  ['check', 'MATCH (n:User) RETURN n.name', 'its first column, `n.name`, is not a node'],
  ['check', 'MATCH (n:User) RETURN count(n)', 'its first column, `count(n)`, is a count'],
  ['check', 'MATCH p = (n:User)-->() RETURN p', 'its first column, `p`, is not a node'],
  [
    'rule',
    'MATCH (n:User) RETURN count(n) AS c',
    'counts objects: a selector must return the objects themselves',
  ],
  ['rule', 'MATCH (n:User) RETURN n.objectid', 'returns no objects'],
  ['rule', 'MATCH (:User)-[r]->() RETURN r', 'returns no objects'],
] as const)('a %s whose rows do not fit is refused: %s', async (part, text, message) => {
  expect((await notes(part, text)).faults).toEqual(says(message));
});

test.each([
  ['MATCH (n:Usr) RETURN n', 'unknown node kind `Usr`: did you mean User?'],
  ['MATCH (n:Hub_Repositor) RETURN n', 'did you mean Hub_Repository?'],
  ['MATCH (n)-[:MemberOff]->() RETURN n', 'did you mean MemberOf?'],
  ['MATCH (n:User) WHERE n.hasSPN RETURN n', 'unknown property `hasSPN`: did you mean hasspn?'],
  ['MATCH (n:User {pwdlastst: 1}) RETURN n', 'did you mean pwdlastset?'],
  ['MATCH (n:Desk_Agent) WHERE n.sharde RETURN n', 'did you mean shared?'],
])('unknown names of others are warnings: %s', async (text, message) => {
  for (const part of ['check', 'rule', 'search'] as const)
    expect(await notes(part, text)).toEqual({ faults: [], warnings: says(message) });
});

test('properties of kinds without known data are not guessed', async () => {
  expect((await notes('check', 'MATCH (n:Desk_Agent) WHERE n.owner IS NULL RETURN n')).warnings).toEqual([]);
});

test('kinds of identities and repairs of checks are validated like those of queries', async () => {
  const document = {
    ...DEFINITION,
    identities: [
      {
        ...{ kind: 'Desk_Becomes', matcher: 'upn', start: { kind: 'User', property: 'userprincpalname' } },
        end: { kind: 'Desk_Agent', property: 'logn' },
      },
    ],
    node_findings: [
      {
        ...{ name: 'Desk_Found', title: 'Found', severity: 'low', cypher: 'MATCH (n:Desk_Agent) RETURN n' },
        repair: { change: 'remove-relation', relationship_kinds: ['Desk_Edit', 'Memberof'], direction: 'in' },
      },
    ],
  };
  const checked = await checkDefinition(document, { ...NOTHING_INSTALLED, names: NAMES });
  if (!('faults' in checked)) throw new Error('it has faults');
  expect(checked.faults.texts()).toEqual(says('`Desk_Edit` is not a relationship kind of this definition'));
  expect(checked.faults.warnings()).toEqual([
    expect.stringContaining('`Memberof`: did you mean MemberOf?'),
    expect.stringContaining('did you mean userprincipalname?'),
    expect.stringContaining('did you mean login?'),
  ]);
});

test('a check of an organization has no namespace: unknown names are warnings', async () => {
  const check = { name: 'Check_X', title: 'X', severity: 'low', cypher: 'MATCH (n:Desk_Agnt) RETURN n' };
  const others = { ...NAMES, labels: new Set(['Desk_Agent']) };
  const read = await readCheck(check, others);
  if ('faults' in read) throw new Error(read.faults.texts().join());
  expect(read.warnings).toEqual([
    expect.stringMatching(/^\/cypher: line 1:\d+ .*did you mean Desk_Agent\?$/),
  ]);
});
