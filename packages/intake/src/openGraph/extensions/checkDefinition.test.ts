import { describe, expect, test } from 'vitest';
import { checkDefinition } from './checkDefinition.ts';
import { type InstalledKinds, NOTHING_INSTALLED } from './installedKinds.ts';

const schema = { name: 'Example', display_name: 'Example', version: 'v1.0.0', namespace: 'EX' };

async function faultsOf(document: unknown, installed: InstalledKinds = NOTHING_INSTALLED): Promise<string[]> {
  const checked = await checkDefinition(document, installed);
  return 'faults' in checked ? checked.faults.texts() : [];
}

const placesOf = (faults: readonly string[]): string[] =>
  faults.map((text) => text.slice(0, text.indexOf(': ')));

describe('members that published definitions omit', () => {
  test('only node kinds', async () => {
    const node_kinds = [{ name: 'EX_User', display_name: 'User' }];
    const checked = await checkDefinition({ schema, node_kinds }, NOTHING_INSTALLED);
    expect(checked).toMatchObject({
      definition: {
        schema,
        node_kinds: [
          {
            ...{ name: 'EX_User', display_name: 'User', description: '', is_display_kind: false },
            ...{ icon: '', color: '', info: {} },
          },
        ],
        relationship_kinds: [],
        environments: [],
        relationship_findings: [],
        privilege_zone_rules: [],
        node_findings: [],
        repairs: [],
        saved_searches: [],
        derived_relationships: [],
        identities: [],
      },
    });
  });

  test.each([
    ['null for a list', { relationship_kinds: null, environments: null, relationship_findings: null }],
    ['a display name of a relationship', { relationship_kinds: [{ name: 'EX_Owns', display_name: 'Owns' }] }],
  ])('%s', async (_, more) => {
    expect(await faultsOf({ schema, node_kinds: [], ...more })).toEqual([]);
  });

  test('a namespace in lower case, and with an underscore', async () => {
    for (const namespace of ['jamf', 'my_platform'])
      expect(
        await faultsOf({
          schema: { ...schema, namespace },
          node_kinds: [{ name: `${namespace}_User`, display_name: 'User' }],
        }),
      ).toEqual([]);
  });
});

async function warningsOf(document: unknown): Promise<string[]> {
  const checked = await checkDefinition(document, NOTHING_INSTALLED);
  return ('faults' in checked ? checked.faults : checked.warnings).warnings();
}

describe('members that are not known', () => {
  test('are ignored, with a warning at their place, and the name that was meant', async () => {
    const document = {
      ...{ $schema: 'https://x.example', note: 1 },
      schema: { ...schema, case_sensitive_id: true, author: 'A' },
      node_kinds: [
        { name: 'EX_Org', display_name: 'Org', colr: '#fff', info: { a: section({ positon: 2 }) } },
        { name: 'EX_User', display_name: 'User', Icon: 'user', displayName: 'User' },
      ],
      relationship_kinds: [
        { name: 'EX_Owns', is_traversible: true, reason: 'x' },
        { name: 'EX_Has', traversable: true },
      ],
      environment: [],
      environments: [
        { environment_kind: 'EX_Org', source_kind: 'EXBase', principal_kinds: ['EX_User'], kind: 'EX_Org' },
      ],
      relationship_findings: [
        {
          ...{ name: 'EX_Owned', environment_kind: 'EX_Org', relationship_kind: 'EX_Owns' },
          remediation: { short_remediaton: 'x' },
        },
      ],
      privilege_zone_rules: [{ name: 'All', cypher: 'MATCH (n:EX_Org) RETURN n', allow_disabled: false }],
      node_findings: [
        { name: 'EX_Check', title: 'X', severity: 'low', cypher: 'MATCH (n:EX_Org) RETURN n', ownr: 'A' },
      ],
      derived_relationships: [
        {
          ...{ kind: 'EX_Owns', pattern: 'MATCH (a:EX_User)-[:EX_Has]->(b:EX_Org)' },
          ...{ start: 'a', end: 'b', reason: 'x', ends: 'b' },
        },
      ],
      identities: [
        {
          ...{ kind: 'EX_Has', matcher: 'upn', start: { kind: 'User', domain: 'x' } },
          ...{ end: { kind: 'EX_User', property: 'login' }, both_direction: true },
        },
      ],
      repairs: [{ relationship_kind: 'EX_Owns', costs: 4 }],
      saved_searches: [{ name: 'S', query: 'MATCH (n:EX_Org) RETURN n', desc: 'x' }],
      icons: [{ kind: 'EX_Org', name: 'user', icon: 'user' }],
      tests: [{ name: 'T', data: { graph: {} }, expect: { saved_searches: { S: 0 } }, expects: {} }],
    };
    const ignored = (place: string, meant = ''): string => `${place}: is not known, and ignored${meant}`;
    expect(await faultsOf(document)).toEqual([]);
    expect((await warningsOf(document)).sort()).toEqual(
      [
        ignored('/note'),
        ignored('/schema/case_sensitive_id', ': did you mean case_sensitive_ids?'),
        ignored('/schema/author'),
        ignored('/node_kinds/0/colr', ': did you mean color?'),
        ignored('/node_kinds/0/info/a/positon'),
        ignored('/node_kinds/1/Icon', ': did you mean icon?'),
        ignored('/node_kinds/1/displayName'),
        ignored('/relationship_kinds/0/is_traversible', ': did you mean is_traversable?'),
        ignored('/relationship_kinds/0/reason', ': did you mean effort_reason?'),
        ignored('/relationship_kinds/1/traversable', ': did you mean is_traversable?'),
        ignored('/environment'),
        ignored('/environments/0/kind'),
        ignored('/relationship_findings/0/remediation/short_remediaton', ': did you mean short_remediation?'),
        ignored('/privilege_zone_rules/0/allow_disabled', ': did you mean allow_disable?'),
        ignored('/node_findings/0/ownr', ': did you mean owner?'),
        ignored('/derived_relationships/0/ends'),
        ignored('/identities/0/start/domain'),
        ignored('/identities/0/both_direction', ': did you mean both_directions?'),
        ignored('/repairs/0/costs', ': did you mean cost?'),
        ignored('/saved_searches/0/desc'),
        ignored('/icons/0/icon'),
        ignored('/tests/0/expects'),
      ].sort(),
    );
  });

  test('that are the end of several names get all of them', async () => {
    expect(await warningsOf({ schema, node_kinds: [], findings: [] })).toEqual([
      '/findings: is not known, and ignored: did you mean relationship_findings or node_findings?',
    ]);
  });

  test('get no warning where nothing was read: beyond a limit, and in what is not an object', async () => {
    const sections = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, section({ x: 1 })]));
    const node_kinds = [{ name: 'EX_A', display_name: 'A', info: sections(60) }];
    const document = { schema, node_kinds, relationship_kinds: { nmae: 'x' }, icons: ['x'] };
    expect(placesOf(await faultsOf(document))).toEqual([
      '/node_kinds/0/info',
      '/icons/0',
      '/relationship_kinds',
    ]);
    expect(placesOf(await warningsOf(document))).toEqual(
      Array.from({ length: 50 }, (_, at) => `/node_kinds/0/info/s${at}/x`),
    );
  });
});

test.each(['check_of_us', 'Check_X', 'CHECK', 'tag_x', 'AD', 'az'])(
  'the namespace %s is refused',
  async (namespace) => {
    expect(placesOf(await faultsOf({ schema: { ...schema, namespace }, node_kinds: [] }))).toEqual([
      '/schema/namespace',
    ]);
  },
);

test.each(['v1', '1.0.0', 'v1.0', 'v01.0.0', 'v1.0.0.0', 'V1.0.0', 'v1.0.0-', '2026 edition'])(
  'the version %s is kept, with a warning',
  async (version) => {
    const checked = await checkDefinition(
      { schema: { ...schema, version }, node_kinds: [] },
      NOTHING_INSTALLED,
    );
    if ('faults' in checked) throw new Error(checked.faults.texts().join());
    expect(checked.definition.schema.version).toBe(version);
    expect(placesOf(checked.warnings.warnings())).toEqual(['/schema/version']);
  },
);

test.each([
  ['user', 'user', 0],
  ['fa-user', 'user', 1],
  ['fas fa-id-card', 'id-card', 1],
  ['fa-solid fa-user', 'user', 1],
  ['harbor-crane', '', 1],
  ['fa-', '', 1],
])('the icon %s is %j', async (icon, stored, warnings) => {
  const node_kinds = [{ name: 'EX_A', display_name: 'A', icon }];
  const checked = await checkDefinition({ schema, node_kinds }, NOTHING_INSTALLED);
  if ('faults' in checked) throw new Error(checked.faults.texts().join());
  expect(checked.definition.node_kinds[0].icon).toBe(stored);
  expect(checked.warnings.warnings()).toHaveLength(warnings);
});

test.each([
  ['#abc', '#abc', 0],
  ['#a0B1c2', '#a0B1c2', 0],
  ['0xFF00FF', '#FF00FF', 1],
  ['FF00FF', '#FF00FF', 1],
  ['#FF00FF80', '#FF00FF', 1],
  ['red', '', 1],
  ['#12', '', 1],
])('the color %s is %j', async (color, stored, warnings) => {
  const node_kinds = [{ name: 'EX_A', display_name: 'A', color }];
  const checked = await checkDefinition({ schema, node_kinds }, NOTHING_INSTALLED);
  if ('faults' in checked) throw new Error(checked.faults.texts().join());
  expect(checked.definition.node_kinds[0].color).toBe(stored);
  expect(checked.warnings.warnings()).toHaveLength(warnings);
});

test.each([null, [], 'text', 7, true])('%j is not a definition', async (document) => {
  expect(await faultsOf(document)).toHaveLength(1);
});

const section = (more: object = {}) => ({ title: 'T', position: 1, markdown: { content: 'x' }, ...more });

test('thirty different errors are all reported with their places', async () => {
  const faults = await faultsOf(
    {
      schema: { name: '', display_name: 7, version: '1', namespace: 'EX' },
      node_kinds: [
        { name: 'Other_User', display_name: 'User' },
        { name: 'EX_', display_name: 'User' },
        { name: 'TAG_User', display_name: 'User' },
        { name: 'EX_A', display_name: '' },
        { name: 'EX_A', display_name: 'A' },
        { name: 'EX_B', display_name: 'B', icon: 7 },
        { name: 'EX_C', display_name: 'C', color: ['red'] },
        { name: 'EX_D', display_name: 'D', is_display_kind: 'yes' },
        { name: 'EX_E', display_name: 'E', info: { 'Upper Case': section() } },
        { name: 'EX_F', display_name: 'F', info: { a: section({ position: 0 }) } },
        { name: 'EX_G', display_name: 'G', info: { a: section({ title: '' }) } },
        { name: 'EX_H', display_name: 'H', info: { a: section({ markdown: { content: '<script>' } }) } },
        { name: 'EX_I', display_name: 'I', info: { a: section({ markdown: 'x' }) } },
        { name: 'EX/J', display_name: 'J' },
        'EX_K',
      ],
      relationship_kinds: [
        { name: 'EX_A' },
        { name: 'EX_Owns', effort: 3 },
        { name: 'EX_Has', is_traversable: 1 },
        { name: 'EX_Uses', description: ['x'] },
      ],
      environments: [
        { environment_kind: 'EX_Nothing', source_kind: 'EXBase', principal_kinds: [] },
        { environment_kind: 'EX_A', source_kind: 'Base', principal_kinds: ['User'] },
        { environment_kind: 'EX_A', source_kind: 'EXBase', principal_kinds: 'EX_A' },
        { environment_kind: 'EX_B', principal_kinds: [] },
      ],
      relationship_findings: [
        { name: 'EX_F1', environment_kind: 'EX_C', relationship_kind: 'EX_Owns' },
        { name: 'EX_F2', environment_kind: 'EX_A', relationship_kind: 'EX_Nothing' },
        {
          ...{ name: 'EX_F3', environment_kind: 'Domain', relationship_kind: 'GenericAll' },
          remediation: { long_remediation: '[x](javascript:alert(1))' },
        },
        { name: 'EX_F4', environment_kind: 'Domain' },
      ],
      repairs: [
        { relationship_kind: 'GenericAll', object: 'both', cost: 0 },
        { relationship_kind: 'EX_Owns', cost: 5000 },
        { relationship_kind: 'EX_Owns', title: 7 },
      ],
      node_findings: [
        {
          ...{ name: 'EX_Check', title: 'x', severity: 'bad', cypher: 'MATCH (' },
          ...{ techniques: ['T1'], repair: { change: 'x', relationship_kinds: ['a b'], direction: 'up' } },
        },
      ],
    },
    NOTHING_INSTALLED,
  );
  expect(placesOf(faults)).toEqual([
    '/schema/name',
    '/schema/display_name',
    '/node_kinds/14',
    '/node_kinds/0/name',
    '/node_kinds/1/name',
    '/node_kinds/2/name',
    '/node_kinds/4/name',
    '/node_kinds/5/icon',
    '/node_kinds/6/color',
    '/node_kinds/7/is_display_kind',
    '/node_kinds/8/info/Upper Case',
    '/node_kinds/9/info/a/position',
    '/node_kinds/10/info/a/title',
    '/node_kinds/12/info/a/markdown',
    '/node_kinds/13/name',
    '/relationship_kinds/0/name',
    '/relationship_kinds/1/effort',
    '/relationship_kinds/2/is_traversable',
    '/relationship_kinds/3/description',
    '/environments/0/environment_kind',
    '/environments/1/source_kind',
    '/environments/1/principal_kinds/0',
    '/environments/2/environment_kind',
    '/environments/2/principal_kinds',
    '/environments/3/source_kind',
    '/relationship_findings/0/environment_kind',
    '/relationship_findings/1/relationship_kind',
    '/relationship_findings/3/relationship_kind',
    '/node_findings/0/cypher',
    '/node_findings/0/repair/change',
    '/node_findings/0/repair/relationship_kinds/0',
    '/node_findings/0/repair/direction',
    '/node_findings/0/severity',
    '/node_findings/0/techniques/0',
    ...['relationship_kind', 'object', 'cost'].map((name) => `/repairs/0/${name}`),
    ...['/repairs/1/cost', '/repairs/2/relationship_kind', '/repairs/2/title'],
    // Markdown is checked last.
    '/node_kinds/11/info/a/markdown/content',
    '/relationship_findings/2/remediation/long_remediation',
  ]);
  expect(faults.length).toBeGreaterThanOrEqual(30);
});

test('kinds of another extension are reported with its name', async () => {
  const installed: InstalledKinds = {
    ...NOTHING_INSTALLED,
    namespaces: new Map([['ex', 'Earlier']]),
    owners: new Map([['EX_User', 'Earlier']]),
  };
  expect(
    await faultsOf({ schema, node_kinds: [{ name: 'EX_User', display_name: 'User' }] }, installed),
  ).toEqual([
    '/schema/namespace: is already the namespace of the extension "Earlier": "EX"',
    '/node_kinds/0/name: belongs to the extension "Earlier": "EX_User"',
  ]);
});

test('the namespaces of the directories, zones and labels are reserved', async () => {
  for (const namespace of ['AD', 'az', 'Tag', 'TAGGED'])
    expect(placesOf(await faultsOf({ schema: { ...schema, namespace }, node_kinds: [] }))).toEqual([
      '/schema/namespace',
    ]);
});

test('misspelled names get the nearest known name', async () => {
  const document = {
    schema,
    node_kinds: ['EX_Org', 'EX_User', 'EX_Role'].map((name) => ({ name, display_name: name })),
    relationship_kinds: [{ name: 'EX_Owns' }, { name: 'EX_HasRole' }],
    environments: [{ environment_kind: 'EX_Org', source_kind: 'EXBase', principal_kinds: ['EX_Usr'] }],
    relationship_findings: [
      { name: 'EX_F1', environment_kind: 'EX_Orgs', relationship_kind: 'EX_HasRoles' },
      { name: 'EX_F2', environment_kind: 'domain', relationship_kind: 'GenericAl' },
    ],
    repairs: [{ relationship_kind: 'EX_Own' }],
    privilege_zone_rules: [{ name: 'R', cypher: 'MATCH (n:EX_Role) RETURN n', zone: 'Teir Zero' }],
    node_findings: [{ name: 'EX_C', title: 'C', severity: 'hihg', cypher: 'MATCH (n:EX_Role) RETURN n' }],
    derived_relationships: [
      { kind: 'EX_Ownss', reason: 'x', pattern: 'MATCH (a)-[:EX_Owns]->(b)', start: 'a', end: 'b' },
    ],
    identities: [
      {
        ...{ kind: 'EX_HasRol', matcher: 'emial', start: { kind: 'Usr', property: 'mail' } },
        end: { kind: 'EX_Usr', property: 'mail' },
      },
    ],
    icons: [{ kind: 'EX_Rolle', name: 'user' }],
  };
  const meant = (await faultsOf(document)).map((text) =>
    text.replace(/^(\S+): .*: (".*"): did you mean (.*)\?$/, '$1 $2 $3'),
  );
  expect(meant).toEqual([
    '/icons/0/kind "EX_Rolle" EX_Role',
    '/environments/0/principal_kinds/0 "EX_Usr" EX_User',
    '/relationship_findings/0/environment_kind "EX_Orgs" EX_Org',
    '/relationship_findings/0/relationship_kind "EX_HasRoles" EX_HasRole',
    '/relationship_findings/1/environment_kind "domain" Domain',
    '/relationship_findings/1/relationship_kind "GenericAl" GenericAll',
    '/privilege_zone_rules/0/zone "Teir Zero" tier zero',
    '/node_findings/0/severity "hihg" high',
    '/derived_relationships/0/kind "EX_Ownss" EX_Owns',
    '/identities/0/kind "EX_HasRol" EX_HasRole',
    '/identities/0/matcher "emial" email',
    '/identities/0/start/kind "Usr" User',
    '/identities/0/end/kind "EX_Usr" EX_User',
    '/repairs/0/relationship_kind "EX_Own" EX_Owns',
  ]);
});

test('a misspelled kind of an environment gets the nearest kind of the definition', async () => {
  const document = {
    ...{ schema, node_kinds: [{ name: 'EX_Org', display_name: 'Org' }] },
    environments: [{ environment_kind: 'EX_Orgg', source_kind: 'EXBase', principal_kinds: ['EX_Org'] }],
  };
  expect(await faultsOf(document)).toEqual([
    '/environments/0/environment_kind: is not a node kind of an installed extension: "EX_Orgg": did you mean EX_Org?',
  ]);
});

test('texts have no control characters except tabs and line breaks', async () => {
  const node_kinds = ['\u001b[31m', '\u0007', '\u009b2J'].map((text, at) => ({
    ...{ name: `EX_K${at}`, display_name: `K${text}`, description: 'one\ttwo\r\nthree' },
    info: { a: section({ markdown: { content: `x ${text}` } }) },
  }));
  const faults = await faultsOf({ schema, node_kinds });
  expect(faults).toEqual(
    node_kinds.flatMap((_, at) => [
      `/node_kinds/${at}/display_name: has a control character`,
      `/node_kinds/${at}/info/a/markdown/content: has a control character`,
    ]),
  );
});

test('a hundred thousand kinds are rejected in one sentence', async () => {
  const kinds = Array.from({ length: 100_000 }, (_, at) => ({ name: `EX_K${at}`, display_name: 'K' }));
  expect(await faultsOf({ schema, node_kinds: kinds, relationship_kinds: [] })).toEqual([
    '/node_kinds: has more than 1000 elements',
  ]);
});

test('errors beyond the limit are counted', async () => {
  const node_kinds = Array.from({ length: 999 }, () => ({ name: 7, display_name: 7 }));
  const faults = await faultsOf({ schema, node_kinds });
  expect(faults).toHaveLength(1001);
  expect(faults.at(-1)).toBe('and 998 more');
});

test('zone rules are checked like everything else', async () => {
  const rule = { name: 'Admins', cypher: 'MATCH (n:EX_Role) RETURN n', zone: 'Tier Zero' };
  const installed = { ...NOTHING_INSTALLED, zoneRules: new Set(['1 Taken']) };
  const privilege_zone_rules = [
    rule,
    rule,
    { ...rule, name: 'Taken' },
    { ...rule, name: 'Elsewhere', zone: 'Nowhere' },
    { ...rule, name: 'Broken', cypher: 'MATCH (n' },
    { ...rule, name: 'Long', cypher: `MATCH (n) WHERE n.name = '${'x'.repeat(2000)}' RETURN n` },
    { name: 'Default', cypher: rule.cypher },
  ];
  const node_kinds = [{ name: 'EX_Role', display_name: 'Role' }];
  expect(placesOf(await faultsOf({ schema, node_kinds, privilege_zone_rules }, installed))).toEqual([
    '/privilege_zone_rules/1/name',
    '/privilege_zone_rules/2/name',
    '/privilege_zone_rules/3/zone',
    '/privilege_zone_rules/4/cypher',
    '/privilege_zone_rules/5/cypher',
  ]);
});
