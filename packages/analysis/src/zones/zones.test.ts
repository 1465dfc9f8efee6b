import { type JsonObject, NodeSet } from '@clew/graph';
import { graphOf, type TestGraph } from '@clew/graph/testing';
import type { EdgeKindName, NodeKindName, RulesMode } from '@clew/model';
import { DEFAULT_SELECTORS, EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import { describe, expect, test } from 'vitest';
import { Observation } from '../../test/observedContext.ts';
import type { AnalysisContext } from '../analysisContext.ts';
import { defaultOptions } from '../analyze.ts';
import { assignZones, type ZoneDefinition } from './assignZones.ts';
import { EXPANSION_READS, expandZone } from './expandZone.ts';
import { MEMBER_CRITERION_READS, OTHER_CRITERION_READS, selectNodes } from './selectNodes.ts';

type Thing = readonly [id: string, kind: NodeKindName, props?: JsonObject];
type Fact = readonly [start: string, kind: EdgeKindName, end: string, flags?: number];

/** Records the reads of zones in the worlds of this file. */
const OBSERVATION = new Observation();

function worldOf(
  things: readonly Thing[],
  facts: readonly Fact[] = [],
  rules: RulesMode = 'clean',
): { world: TestGraph; context: AnalysisContext } {
  const world = graphOf({
    nodes: things.map(([id, kind, props]) => ({
      id,
      kinds: [kind.startsWith('AZ') ? NodeKind.AZBase : NodeKind.Base, NodeKind[kind]],
      props,
    })),
    edges: facts.map(([start, kind, end, flags]) => [start, EdgeKind[kind], end, flags]),
  });
  const { graph, properties, edgeProperties } = world;
  return {
    world,
    context: OBSERVATION.contextOf({
      graph,
      properties,
      edgeProperties,
      options: { ...defaultOptions(), rules },
    }),
  };
}

const SID = 'S-1-5-21-1-2-3';

describe('a default rule of Tier Zero', () => {
  const other: Thing[] = [
    [`${SID}-1105`, 'User', { name: 'ANN@CORP', samaccountname: 'ann' }],
    [`${SID}-1106`, 'Group', { name: 'STAFF@CORP' }],
    [`${SID}-1107`, 'Computer', { samaccountname: 'PC$' }],
    ['C', 'Container', { distinguishedname: 'CN=USERS,DC=CORP' }],
    ['11111111-0000@T', 'AZRole'],
    ['SRV0', 'SiteServer'],
  ];
  const group = (id: string, name = 'X@CORP'): [Thing[], Fact[], string[]] => [
    [[id, 'Group', { name }]],
    [],
    [id],
  ];
  const one = (id: string, kind: NodeKindName, props?: JsonObject): [Thing[], Fact[], string[]] => [
    [[id, kind, props]],
    [],
    [id],
  ];

  // Per selector: a world, and the objects that it selects there. No other object may be selected.
  const cases: Record<string, [Thing[], Fact[], string[]]> = {
    administrators: group('CORP-S-1-5-32-544'),
    'domain-admins': group(`${SID}-512`),
    'enterprise-admins': group(`${SID}-519`),
    'schema-admins': group(`${SID}-518`),
    'backup-operators': group('CORP-S-1-5-32-551'),
    'domain-controllers': group(`${SID}-516`),
    'enterprise-domain-controllers': group('CORP-S-1-5-9'),
    'key-admins': group(`${SID}-526`),
    'enterprise-key-admins': group(`${SID}-527`),
    administrator: one(`${SID}-500`, 'User'),
    adminsdholder: one('H', 'Container', { distinguishedname: 'CN=ADMINSDHOLDER,CN=SYSTEM,DC=CORP' }),
    'domain-root': one(SID, 'Domain'),
    'domain-controller-site-servers': [
      [
        ['SRV1', 'SiteServer'],
        [`${SID}-1000`, 'Computer'],
        [SID, 'Domain'],
        ['SRV2', 'SiteServer'],
      ],
      [
        [`${SID}-1000`, 'DCFor', SID],
        [`${SID}-1000`, 'ServerIs', 'SRV1'],
        [`${SID}-1107`, 'ServerIs', 'SRV2'],
      ],
      ['SRV1'],
    ],
    'az-global-administrator': one('62E90394-69F5-4237-9190-012177145E10@T', 'AZRole'),
    'az-privileged-role-administrator': one('E8611AB8-C189-46E8-94E1-60213AB1F814@T', 'AZRole'),
    'az-privileged-authentication-administrator': one('7BE44C8A-ADAF-4E2A-84D6-AB2649E08A13@T', 'AZRole'),
    'az-partner-tier2-support': one('E00E864A-17C5-4A4B-9C06-F5B95A8D5BD8@T', 'AZRole'),
    'az-tenant': one('T', 'AZTenant'),
    'account-operators': group('CORP-S-1-5-32-548'),
    'server-operators': group('CORP-S-1-5-32-549'),
    'print-operators': group('CORP-S-1-5-32-550'),
    'incoming-forest-trust-builders': group('CORP-S-1-5-32-557'),
    'cryptographic-operators': group('CORP-S-1-5-32-569'),
    'distributed-com-users': group('CORP-S-1-5-32-562'),
    'performance-log-users': group('CORP-S-1-5-32-559'),
    'cert-publishers': group(`${SID}-517`),
    'dns-admins': group(`${SID}-1101`, 'DNSADMINS@CORP'),
    'exchange-trusted-subsystem': group(`${SID}-1110`, 'EXCHANGE TRUSTED SUBSYSTEM@CORP'),
    'exchange-windows-permissions': group(`${SID}-1111`, 'EXCHANGE WINDOWS PERMISSIONS@CORP'),
    krbtgt: one(`${SID}-502`, 'User'),
    'read-only-domain-controllers': [
      [
        [`${SID}-521`, 'Group'],
        ['RODC', 'Computer'],
        // Newer collectors report this for a computer whose group was not collected.
        ['RODC2', 'Computer', { isreadonlydc: true }],
        ['DC', 'Computer', { isreadonlydc: false }],
        ['U2', 'User', { isreadonlydc: true }],
      ],
      [
        ['RODC', 'MemberOf', `${SID}-521`],
        [`${SID}-1105`, 'MemberOf', `${SID}-521`],
      ],
      ['RODC', 'RODC2'],
    ],
    'enterprise-ca-computers': [
      [
        ['CA', 'EnterpriseCA'],
        ['HOST', 'Computer'],
      ],
      [['HOST', 'HostsCAService', 'CA']],
      ['HOST'],
    ],
    'ntauth-store': one('N', 'NTAuthStore'),
    'root-ca': one('R', 'RootCA'),
    'aia-ca': one('A', 'AIACA'),
    'enterprise-ca': one('E', 'EnterpriseCA'),
    'certificate-template': one('T1', 'CertTemplate'),
    azureadssoacc: one('SSO', 'Computer', { samaccountname: 'AzureADSSOAcc$' }),
    'az-application-administrator': one('9B895D92-2CD3-44C7-9D02-A6AC2D5EA5C3@T', 'AZRole'),
    'az-intune-administrator': one('3A2C62DB-5318-420D-8D74-23AFFEE5D9D5@T', 'AZRole'),
    'az-security-administrator': one('194AE4CB-B126-40B2-BD5B-6091B380977D@T', 'AZRole'),
    'az-knowledge-administrator': one('B5A8DCF3-09D5-43A9-A639-8E29EF291470@T', 'AZRole'),
  };

  test.each(DEFAULT_SELECTORS)('$key selects its objects and no others', ({ key, criterion }) => {
    const [things, facts, expected] = cases[key];
    const { world, context } = worldOf([...other, ...things], facts);
    expect(world.ids(selectNodes(context, criterion))).toEqual(expected);
  });

  test('has a key of its own, a case above and a sentence for people', () => {
    expect(DEFAULT_SELECTORS.map((selector) => selector.key).sort()).toEqual(Object.keys(cases).sort());
    for (const selector of DEFAULT_SELECTORS) expect(selector.description).toMatch(/^[A-Z].{20,}\.$/);
  });
});

describe('expansion of a zone', () => {
  const members = (
    things: Thing[],
    facts: Fact[],
    seeds: string[],
    expansion: 'all' | 'children' | 'none' = 'all',
    rules: RulesMode = 'clean',
  ) => {
    const { world, context } = worldOf(things, facts, rules);
    const seedSet = NodeSet.of(context.graph.nodeCount, seeds.map(world.node));
    return world.ids(expandZone(context, seedSet, expansion).all);
  };

  test('takes users in groups nested three deep, and ends on circles', () => {
    const things: Thing[] = [
      ['DA', 'Group'],
      ['G1', 'Group'],
      ['G2', 'Group'],
      ['U', 'User'],
      ['X', 'User'],
    ];
    const facts: Fact[] = [
      ['G1', 'MemberOf', 'DA'],
      ['G2', 'MemberOf', 'G1'],
      ['U', 'MemberOf', 'G2'],
      ['DA', 'MemberOf', 'G2'],
    ];
    expect(members(things, facts, ['DA'])).toEqual(['DA', 'G1', 'G2', 'U']);
    expect(members(things, facts, ['DA'], 'none')).toEqual(['DA']);
  });

  test('takes the unit above a member and the policies linked there, not the other users of that unit', () => {
    const things: Thing[] = [
      ['DA', 'Group'],
      ['U', 'User'],
      ['V', 'User'],
      ['O', 'OU'],
      ['P', 'GPO'],
      ['Q', 'GPO'],
      ['D', 'Domain'],
    ];
    const facts: Fact[] = [
      ['U', 'MemberOf', 'DA'],
      ['D', 'Contains', 'O'],
      ['O', 'Contains', 'U'],
      ['O', 'Contains', 'V'],
      ['P', 'GPLink', 'O'],
      ['Q', 'GPLink', 'D'],
    ];
    expect(members(things, facts, ['DA'])).toEqual(['DA', 'O', 'P', 'Q', 'U']);
    expect(members(things, facts, ['DA'], 'children')).toEqual(['DA', 'U']);
    // No known controller is reached by the policy of the domain.
    expect(members(things, facts, ['D'])).toEqual(['D']);
    expect(members(things, facts, ['D'], 'all', 'parity')).toEqual(['D', 'Q']);
    const controller: Thing[] = [...things, ['K', 'Computer']];
    const placed: Fact[] = [...facts, ['K', 'DCFor', 'D'], ['D', 'Contains', 'K']];
    expect(members(controller, placed, ['D'])).toEqual(['D', 'Q']);
  });

  test.each<[string, JsonObject, NodeKindName, string[]]>([
    ['an account', { enabled: true, isaclprotected: true }, 'User', ['DA', 'O', 'P', 'X']],
    ['a disabled account', { enabled: false }, 'User', ['DA', 'O', 'X']],
    [
      'a disabled account whose list is protected',
      { enabled: false, isaclprotected: true },
      'User',
      ['DA', 'X'],
    ],
    ['a group', {}, 'Group', ['DA', 'O', 'X']],
    ['a group whose list is protected', { isaclprotected: true }, 'Group', ['DA', 'X']],
  ])('takes unit and policy above %s as far as they control it', (_, props, kind, expected) => {
    const things: Thing[] = [
      ['DA', 'Group'],
      ['X', kind, props],
      ['O', 'OU'],
      ['P', 'GPO'],
    ];
    const facts: Fact[] = [
      ['X', 'MemberOf', 'DA'],
      ['O', 'Contains', 'X'],
      ['P', 'GPLink', 'O'],
    ];
    expect(members(things, facts, ['DA'])).toEqual(expected);
    expect(members(things, facts, ['DA'], 'all', 'parity')).toEqual(['DA', 'O', 'P', 'X']);
  });

  test('takes a policy whose link stands for control of a unit of the zone', () => {
    const ids = Array.from({ length: 101 }, (_, at) => `U${at}`);
    const things: Thing[] = [
      ['G', 'Group'],
      ['O', 'OU'],
      ['P', 'GPO'],
      ...ids.map((id): Thing => [id, 'User']),
    ];
    const facts: Fact[] = [
      ['O', 'Contains', 'G'],
      ['P', 'GPLink', 'O'],
      ...ids.map((id): Fact => ['O', 'Contains', id]),
    ];
    expect(members(things, facts, ['G'])).toEqual(['G', 'O', 'P']);
    expect(members(things, facts.slice(0, -1), ['G'])).toEqual(['G', 'O']);
  });

  test('leaves out policies that a blocking unit keeps away, unless they are enforced', () => {
    const things: Thing[] = [
      ['U', 'User'],
      ['O', 'OU', { blocksinheritance: true }],
      ['P', 'GPO'],
      ['Q', 'GPO'],
      ['R', 'GPO'],
      ['D', 'Domain'],
    ];
    const facts: Fact[] = [
      ['D', 'Contains', 'O'],
      ['O', 'Contains', 'U'],
      ['P', 'GPLink', 'D'],
      ['Q', 'GPLink', 'D', EdgeFlag.Enforced],
      ['R', 'GPLink', 'O'],
    ];
    expect(members(things, facts, ['U'])).toEqual(['O', 'Q', 'R', 'U']);
  });

  test.each<[boolean | undefined, string[]]>([
    [true, ['O', 'U']],
    [false, ['C', 'O', 'U']],
    [undefined, ['C', 'O', 'U']],
  ])('with permission inheritance blocked %s takes containers accordingly', (isaclprotected, expected) => {
    const things: Thing[] = [
      ['U', 'User', isaclprotected === undefined ? {} : { isaclprotected }],
      ['C', 'Container'],
      ['O', 'OU'],
    ];
    expect(
      members(
        things,
        [
          ['O', 'Contains', 'C'],
          ['C', 'Contains', 'U'],
        ],
        ['U'],
      ),
    ).toEqual(expected);
  });

  test('takes eligible holders of a role, members of holding groups, and the application behind a service principal', () => {
    const things: Thing[] = [
      ['GA', 'AZRole'],
      ['u', 'AZUser'],
      ['g', 'AZGroup'],
      ['m', 'AZUser'],
      ['s', 'AZServicePrincipal'],
      ['a', 'AZApp'],
      ['x', 'AZUser'],
    ];
    const facts: Fact[] = [
      ['u', 'AZRoleEligible', 'GA'],
      ['g', 'AZHasRole', 'GA'],
      ['m', 'AZMemberOf', 'g'],
      ['s', 'AZHasRole', 'GA'],
      ['a', 'AZRunsAs', 's'],
    ];
    expect(members(things, facts, ['GA'])).toEqual(['GA', 'a', 'g', 'm', 's', 'u']);
  });

  test('adds the contents of a scope and the scopes above a resource', () => {
    const things: Thing[] = [
      ['MG', 'AZManagementGroup'],
      ['S', 'AZSubscription'],
      ['RG', 'AZResourceGroup'],
      ['VM', 'AZVM'],
      ['VM2', 'AZVM'],
    ];
    const facts: Fact[] = [
      ['MG', 'AZContains', 'S'],
      ['S', 'AZContains', 'RG'],
      ['RG', 'AZContains', 'VM'],
      ['RG', 'AZContains', 'VM2'],
    ];
    expect(members(things, facts, ['VM'])).toEqual(['MG', 'RG', 'S', 'VM']);
    expect(members(things, facts, ['RG'])).toEqual(['MG', 'RG', 'S', 'VM', 'VM2']);
  });

  test('survives containment thousands deep and in a circle', () => {
    const depth = 20_000;
    const id = (at: number) => `O${String(at).padStart(6, '0')}`;
    const things: Thing[] = [
      ['U', 'User'],
      ['P', 'GPO'],
      ...Array.from({ length: depth }, (_, at): Thing => [id(at), 'OU']),
    ];
    const facts: Fact[] = [
      ['P', 'GPLink', id(0)],
      [id(depth - 1), 'Contains', 'U'],
      [id(depth - 1), 'Contains', id(0)],
      ...Array.from({ length: depth - 1 }, (_, at): Fact => [id(at), 'Contains', id(at + 1)]),
    ];
    const found = members(things, facts, ['U']);
    expect(found).toHaveLength(depth + 2);
    expect(found).toContain('P');
  });
});

describe('precedence of zones', () => {
  const zone = (
    id: number,
    position: number | null,
    selectors: ZoneDefinition['selectors'],
  ): ZoneDefinition => ({
    id,
    position,
    expansion: 'all',
    selectors,
  });

  test('gives an object to the most privileged zone that selects it, and labels in addition', () => {
    const { world, context } = worldOf([
      ['U', 'User'],
      ['V', 'User'],
    ]);
    const both = context.nodesOf('User');
    const onlyU = both.filter((node) => world.ids([node])[0] === 'U');
    const assigned = (rulesOfFirst: ZoneDefinition['selectors']) =>
      assignZones(context, [
        zone(3, null, [{ id: 30, seeds: both }]),
        zone(2, 2, [{ id: 20, seeds: both }]),
        zone(1, 1, rulesOfFirst),
      ]).map((found) => [found.id, world.ids(found.tagged)]);
    expect(assigned([{ id: 10, seeds: onlyU }])).toEqual([
      [1, ['U']],
      [2, ['V']],
      [3, ['U', 'V']],
    ]);
    // The selector of the first zone is off, so the object moves down.
    expect(assigned([])).toEqual([
      [1, []],
      [2, ['U', 'V']],
      [3, ['U', 'V']],
    ]);
  });

  test('records members that await certification without tagging them', () => {
    const { world, context } = worldOf(
      [
        ['DA', 'Group'],
        ['U', 'User'],
      ],
      [['U', 'MemberOf', 'DA']],
    );
    const seeds = context.nodesOf('Group');
    const [found] = assignZones(context, [
      { ...zone(1, 1, [{ id: 10, seeds }]), certified: (all) => all.seeds },
    ]);
    expect(world.ids(found.tagged)).toEqual(['DA']);
    expect(world.ids(found.bySelector.get(10)!.all)).toEqual(['DA', 'U']);
  });
});

// Undeclared reads throw in the tests above.
test('zones read all that they declare', () => {
  const readers = [
    { name: 'criteria of zones that ask for members', reads: MEMBER_CRITERION_READS },
    { name: 'other criteria of zones', reads: OTHER_CRITERION_READS },
    { name: 'expansion of zones', reads: EXPANSION_READS },
  ];
  expect(OBSERVATION.unused(readers)).toEqual([]);
});
