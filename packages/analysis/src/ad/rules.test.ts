import type { JsonObject } from '@clew/graph';
import { graphOf, type TestEdge, type TestGraph, type TestNode } from '@clew/graph/testing';
import {
  EdgeFlag,
  EdgeKind,
  type EdgeKindName,
  edgeKindById,
  NodeKind,
  type NodeKindName,
  type RulesMode,
} from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnalysisInput } from '../analysisContext.ts';
import { analyze, compose, defaultOptions, relayTargets } from '../analyze.ts';
import { HELD_RIGHT_READS } from '../directory/heldRights.ts';
import type { FeatureName } from '../features.ts';
import { Observation, sharedOf } from '../testing/observedContext.ts';
import { edgesByWays } from '../testing/wayEdges.ts';
import { AD_RULES } from './rules.ts';

type Fact = readonly [start: string, kind: EdgeKindName, end: string, flags?: number, props?: JsonObject];
type Thing = readonly [id: string, kind: NodeKindName, props?: JsonObject];

interface Choice {
  readonly mode?: RulesMode;
  readonly features?: readonly FeatureName[];
}

const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

const SID = 'S-1-5-21-1-2-3';
const OTHER = 'S-1-5-21-9-9-9';

/** Things of one domain; the property `domainsid` is the domain's unless given. */
function worldOf(things: readonly Thing[], facts: readonly Fact[]): TestGraph {
  const nodes: TestNode[] = things.map(([id, kind, props]) => ({
    id,
    kinds: [NodeKind.Base, NodeKind[kind]],
    props: { domainsid: SID, ...props },
  }));
  const edges: TestEdge[] = facts.map(
    ([start, kind, end, flags, props]): TestEdge => [start, EdgeKind[kind], end, flags, props],
  );
  return graphOf({ nodes, edges });
}

const HELD_RIGHTS = { name: 'held rights', reads: HELD_RIGHT_READS };

/** Records the reads of rules in the worlds of this file. */
const OBSERVATION = new Observation();

function inputOf(world: TestGraph, { mode = 'clean', features = [] }: Choice = {}): AnalysisInput {
  const { graph, properties, edgeProperties } = world;
  const on = new Set([...defaultOptions().features, ...features]);
  return { graph, properties, edgeProperties, options: { rules: mode, features: on } };
}

/** All derived edges as `start kind end`. */
function derive(world: TestGraph, choice: Choice = {}): string[] {
  const context = OBSERVATION.contextOf(inputOf(world, choice));
  const { edges, perRule } = analyze(context, AD_RULES);
  expect(perRule.filter((rule) => rule.status === 'failed')).toEqual([]);
  const { derived, byWays } = edgesByWays(context, AD_RULES, edges);
  expect(byWays).toEqual(derived);
  return Array.from(edges.starts, (start, at) => {
    const [from, to] = world.ids([start, edges.ends[at]]);
    return `${from} ${edgeKindById(edges.kinds[at])?.name} ${to}`;
  }).sort();
}

/** The facts behind a derived edge, as `start kind end`. */
function explain(world: TestGraph, start: string, kind: EdgeKindName, end: string): string[] {
  const ref = { start: world.node(start), kind: EdgeKind[kind], end: world.node(end) };
  return compose(OBSERVATION.contextOf(inputOf(world)), ref, AD_RULES).edges.map((edge) => {
    const [from, to] = world.ids([edge.start, edge.end]);
    return `${from} ${edgeKindById(edge.kind)?.name} ${to}`;
  });
}

const D: Thing = ['D', 'Domain', { collected: true }];
const users = (...ids: string[]): Thing[] => ids.map((id) => [id, 'User']);
const groups = (...ids: string[]): Thing[] => ids.map((id) => [id, 'Group']);

describe('DCSync', () => {
  const both = (principal: string): Fact[] => [
    [principal, 'GetChanges', 'D'],
    [principal, 'GetChangesAll', 'D'],
  ];

  test('follows from both replication rights', () => {
    const world = worldOf([D, ...users('U1')], both('U1'));
    expect(derive(world)).toEqual(['U1 DCSync D']);
    expect(explain(world, 'U1', 'DCSync', 'D')).toEqual(['U1 GetChanges D', 'U1 GetChangesAll D']);
  });

  test.each<[string, JsonObject]>([
    ['false', { collected: false }],
    ['absent', {}],
  ])('needs a collected domain, not one with the mark %s', (_, props) => {
    expect(derive(worldOf([['D', 'Domain', props], ...users('U1')], both('U1')))).toEqual([]);
  });

  test.each<EdgeKindName>(['GenericAll', 'AllExtendedRights', 'WriteDacl', 'GetChanges', 'GetChangesAll'])(
    'does not follow from %s alone',
    (kind) => {
      expect(derive(worldOf([D, ...users('U1')], [['U1', kind, 'D']]))).toEqual([]);
    },
  );

  test('follows where the group holds one right and its member the other', () => {
    const world = worldOf(
      [D, ...users('U1'), ...groups('G1')],
      [
        ['G1', 'GetChanges', 'D'],
        ['U1', 'GetChangesAll', 'D'],
        ['U1', 'MemberOf', 'G1'],
      ],
    );
    expect(derive(world)).toEqual(['U1 DCSync D']);
    expect(explain(world, 'U1', 'DCSync', 'D').sort()).toEqual([
      'G1 GetChanges D',
      'U1 GetChangesAll D',
      'U1 MemberOf G1',
    ]);
  });
});

describe('the intersection of rights', () => {
  const AU = `CORP-S-1-5-11`;
  const EV = `CORP-S-1-1-0`;
  const things = [D, ...users('U1', 'U2'), ...groups('G1', 'G2', 'G3', 'G4', AU, EV)];

  // Vectors of the reference: holders of the first right, of the second, memberships, result.
  test.each<[string, string[], string[], [string, string][], string[], string[]?]>([
    ['a', ['U1'], ['U1'], [], ['U1']],
    ['b', ['G1'], ['G1'], [['U1', 'G1']], ['G1']],
    [
      'c',
      ['G1'],
      ['G2'],
      [
        ['U1', 'G1'],
        ['U1', 'G2'],
        ['U2', 'G1'],
      ],
      ['U1'],
    ],
    [
      'd',
      ['G1'],
      ['G2'],
      [
        ['G3', 'G1'],
        ['G3', 'G2'],
        ['U1', 'G3'],
      ],
      ['G3'],
    ],
    ['e', [AU], ['G2'], [['U1', 'G2']], ['G2']],
    ['f', [AU], [EV], [], [EV, AU]],
    [
      'g',
      ['G1'],
      ['G2'],
      [
        ['G4', 'G1'],
        ['G4', 'G2'],
        ['G3', 'G4'],
        ['U1', 'G3'],
      ],
      ['G4'],
      ['G3', 'G4', 'U1'],
    ],
    ['h', ['G1'], [], [['U1', 'G1']], []],
    ['i', ['G1'], ['U1'], [['U1', 'G1']], ['U1']],
    [
      'j',
      ['G1'],
      ['G2'],
      [
        [AU, 'G1'],
        ['U1', 'G2'],
      ],
      ['G2'],
    ],
    [
      'k',
      ['U1'],
      ['G2'],
      [
        ['G1', 'G2'],
        ['U1', 'G1'],
      ],
      ['U1'],
    ],
  ])('gives the result of vector %s', (_, first, second, memberships, clean, parity = clean) => {
    const world = worldOf(things, [
      ...first.map((id): Fact => [id, 'GetChanges', 'D']),
      ...second.map((id): Fact => [id, 'GetChangesAll', 'D']),
      ...memberships.map(([member, group]): Fact => [member, 'MemberOf', group]),
    ]);
    const edges = (ids: string[]) => ids.map((id) => `${id} DCSync D`).sort();
    expect(derive(world)).toEqual(edges(clean));
    expect(derive(world, { mode: 'parity' })).toEqual(edges(parity));
  });
});

describe('SyncLAPSPassword', () => {
  test('reaches the LAPS computers of the domain', () => {
    const world = worldOf(
      [
        D,
        ...users('U1'),
        ['C1', 'Computer', { haslaps: true }],
        ['C2', 'Computer', { haslaps: false }],
        ['C3', 'Computer', { haslaps: true, domainsid: OTHER }],
        ['C4', 'Computer', {}],
      ],
      [
        ['U1', 'GetChanges', 'D'],
        ['U1', 'GetChangesInFilteredSet', 'D'],
      ],
    );
    expect(derive(world)).toEqual(['U1 SyncLAPSPassword C1']);
    expect(explain(world, 'U1', 'SyncLAPSPassword', 'C1')).toEqual([
      'U1 GetChanges D',
      'U1 GetChangesInFilteredSet D',
    ]);
  });
});

describe('rights through local groups', () => {
  test.each<[EdgeKindName, string]>([
    ['AdminTo', 'C-544'],
    ['CanPSRemote', 'C-580'],
    ['ExecuteDCOM', 'C-562'],
  ])('%s goes to direct members of %s and no one else', (kind, group) => {
    const world = worldOf(
      [['C', 'Computer'], [group, 'ADLocalGroup'], ...groups('G1'), ...users('U1', 'U2')],
      [
        [group, 'LocalToComputer', 'C'],
        ['G1', 'MemberOfLocalGroup', group],
        ['U1', 'MemberOfLocalGroup', group],
        ['C', 'MemberOfLocalGroup', group],
        ['U2', 'MemberOf', 'G1'],
      ],
    );
    expect(derive(world)).toEqual([`G1 ${kind} C`, `U1 ${kind} C`]);
    expect(explain(world, 'G1', kind, 'C').sort()).toEqual(
      [`G1 MemberOfLocalGroup ${group}`, `${group} LocalToComputer C`].sort(),
    );
  });

  test('do not follow from other local groups or from groups without members', () => {
    const world = worldOf(
      [['C', 'Computer'], ['C-551', 'ADLocalGroup'], ['C-580', 'ADLocalGroup'], ...users('U1')],
      [
        ['C-551', 'LocalToComputer', 'C'],
        ['C-580', 'LocalToComputer', 'C'],
        ['U1', 'MemberOfLocalGroup', 'C-551'],
      ],
    );
    expect(derive(world)).toEqual([]);
  });
});

describe('CanRDP', () => {
  const R = 'C-555';
  const DAU: Thing = ['C-1001', 'ADLocalGroup', { name: 'DIRECT ACCESS USERS@C' }];
  const L: Thing = ['C-1002', 'ADLocalGroup'];
  const things: Thing[] = [
    ['C', 'Computer', { hasura: true }],
    [R, 'ADLocalGroup', { name: 'REMOTE DESKTOP USERS@C' }],
    L,
    ...groups('G1'),
    ...users('U1', 'U2'),
  ];
  const unread = things.map((thing): Thing => (thing[0] === 'C' ? ['C', 'Computer'] : thing));
  const member = (id: string, group = R): Fact => [id, 'MemberOfLocalGroup', group];
  const right = (id: string): Fact => [id, 'RemoteInteractiveLogonRight', 'C'];
  const local: Fact = [R, 'LocalToComputer', 'C'];
  const citrix: Fact[] = [[DAU[0], 'LocalToComputer', 'C']];

  test.each<[string, Thing[], Fact[], string[]]>([
    ['the group holds the right', [], [local, member('G1'), member('U1'), right(R)], ['G1', 'U1']],
    ['a member holds the right', [], [local, member('G1'), member('U1'), right('G1')], ['G1']],
    ['nobody holds the right', [], [local, member('G1'), member('U1')], []],
    ['the group does not exist', [], [right('U1')], []],
    [
      'a nested member is in a local group with the right',
      [],
      [local, member('G1'), ['U2', 'MemberOf', 'G1'], member('U2', L[0]), right(L[0])],
      ['U2'],
    ],
    ['the computer is a member of its own group', [], [local, member('C'), right(R)], []],
    [
      'Citrix asks for Direct Access Users too',
      [DAU],
      [local, ...citrix, member('U1'), member('U2'), member('U1', DAU[0]), right(R)],
      ['U1'],
    ],
    ['Direct Access Users is empty', [DAU], [local, ...citrix, member('U1'), right(R)], []],
  ])('when %s', (_, more, facts, expected) => {
    const world = worldOf([...things, ...more], facts);
    expect(derive(world)).toEqual(expected.map((id) => `${id} CanRDP C`));
  });

  test('explains membership and right', () => {
    const world = worldOf(things, [local, member('G1'), right('G1')]);
    expect(explain(world, 'G1', 'CanRDP', 'C').sort()).toEqual(
      [`${R} LocalToComputer C`, `G1 MemberOfLocalGroup ${R}`, 'G1 RemoteInteractiveLogonRight C'].sort(),
    );
    expect(explain(world, 'U2', 'CanRDP', 'C')).toEqual([]);
  });

  test('equals a walk from each member, in any nest of groups', () => {
    const locals = [R, 'C-544', 'C-1002'];
    const domainGroups = ['G1', 'G2', 'G3'];
    const people = ['U1', 'U2', 'U3'];
    const node = fc.constantFrom(...people, ...domainGroups, ...locals);
    const nests = fc.record({
      members: fc.uniqueArray(fc.tuple(node, fc.constantFrom(...domainGroups)), { maxLength: 8 }),
      locals: fc.uniqueArray(fc.tuple(node, fc.constantFrom(...locals)), { maxLength: 8 }),
      rights: fc.uniqueArray(node, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(nests, ({ members, locals: inLocal, rights }) => {
        const world = worldOf(
          [
            ['C', 'Computer', { hasura: true }],
            ...locals.map(
              (id): Thing => [id, 'ADLocalGroup', id === R ? { name: 'REMOTE DESKTOP USERS@C' } : {}],
            ),
            ...groups(...domainGroups),
            ...users(...people),
          ],
          [
            local,
            ...members.map(([start, end]): Fact => [start, 'MemberOf', end]),
            ...inLocal.map(([start, end]): Fact => [start, 'MemberOfLocalGroup', end]),
            ...rights.map(right),
          ],
        );
        const below = (group: string): Set<string> => {
          const found = new Set<string>([group]);
          for (const one of found)
            for (const [start, end] of [...members, ...inLocal]) if (end === one) found.add(start);
          found.delete(group);
          return found;
        };
        const inGroup = below(R);
        const expected = rights.includes(R)
          ? inLocal.filter(([, end]) => end === R).map(([start]) => start)
          : [...inGroup].filter((one) =>
              rights.some((holder) => one === holder || (!inGroup.has(holder) && below(holder).has(one))),
            );
        const found = derive(world).filter((edge) => edge.endsWith(' CanRDP C'));
        expect(found).toEqual([...new Set(expected)].sort().map((id) => `${id} CanRDP C`));
      }),
      { numRuns: 150 * RUNS },
    );
  });

  test.each<[string, Fact[], string[]]>([
    ['direct members of the group', [member('G1'), member('U1'), ['U2', 'MemberOf', 'G1']], ['G1', 'U1']],
    [
      'on Citrix hosts those in both groups',
      [...citrix, member('U1'), member('U2'), member('U2', DAU[0])],
      ['U2'],
    ],
    ['no one where Direct Access Users is empty', [...citrix, member('U1')], []],
  ])('where rights were not collected has %s, in both modes', (_, facts, expected) => {
    for (const mode of ['clean', 'parity'] as const) {
      const found = derive(worldOf([...unread, DAU], [local, ...facts]), { mode });
      expect(found).toEqual(expected.map((id) => `${id} CanRDP C`));
    }
  });

  test('is empty where the right was collected and no one holds it', () => {
    expect(derive(worldOf(things, [local, member('U1')]))).toEqual([]);
  });
});

describe('ownership', () => {
  const heuristics = (character: string) => `${'0'.repeat(28)}${character}`;
  const things = (dsheuristics: string | undefined, target: Thing): Thing[] => [
    ['D', 'Domain', dsheuristics === undefined ? {} : { dsheuristics }],
    ['E', 'Domain', { domainsid: OTHER }],
    target,
    ...users('U1', 'DA'),
    ...groups('G', `${SID}-512`),
  ];
  const nested: Fact[] = [
    ['DA', 'MemberOf', 'G'],
    ['G', 'MemberOf', `${SID}-512`],
  ];
  const computer: Thing = ['T', 'Computer'];

  test.each<[string | undefined, Thing, EdgeKindName, string, string | undefined]>([
    [undefined, computer, 'OwnsRaw', 'U1', 'Owns'],
    [heuristics('1'), ['T', 'User'], 'OwnsRaw', 'U1', 'Owns'],
    [heuristics('1'), computer, 'OwnsRaw', 'U1', undefined],
    [heuristics('1'), computer, 'OwnsRaw', 'DA', 'Owns'],
    [heuristics('1'), computer, 'WriteOwnerRaw', `${SID}-512`, undefined],
    [heuristics('1'), ['T', 'User', { gmsa: true }], 'WriteOwnerRaw', 'U1', undefined],
    [heuristics('1'), ['T', 'User', { msa: true }], 'OwnsRaw', 'U1', undefined],
    [heuristics('1'), ['T', 'OU'], 'WriteOwnerRaw', 'U1', 'WriteOwner'],
    [heuristics('2'), computer, 'WriteOwnerRaw', 'U1', 'WriteOwner'],
    [heuristics('0'), computer, 'OwnsRaw', 'U1', 'Owns'],
    ['001', computer, 'OwnsRaw', 'U1', 'Owns'],
    [heuristics('1'), ['T', 'Computer', { domainsid: OTHER }], 'OwnsRaw', 'U1', 'Owns'],
  ])(
    'with dSHeuristics %s on %s turns %s of %s into %s',
    (dsheuristics, target, raw, principal, expected) => {
      const world = worldOf(things(dsheuristics, target), [...nested, [principal, raw, 'T']]);
      expect(derive(world)).toEqual(expected === undefined ? [] : [`${principal} ${expected} T`]);
    },
  );

  test('keeps inheritance and its hash', () => {
    const world = worldOf(things(undefined, computer), [
      [
        'U1',
        'WriteOwnerRaw',
        'T',
        EdgeFlag.Acl | EdgeFlag.HasAcl | EdgeFlag.Inherited,
        { inheritancehash: 'abc' },
      ],
      ['DA', 'OwnsRaw', 'T', EdgeFlag.Acl | EdgeFlag.HasAcl],
    ]);
    const { edges } = analyze(OBSERVATION.contextOf(inputOf(world)), AD_RULES);
    const acl = EdgeFlag.Acl | EdgeFlag.HasAcl | EdgeFlag.Derived;
    expect([...edges.flags].sort()).toEqual([acl, acl | EdgeFlag.Inherited].sort());
    expect([...edges.properties.values()]).toEqual([{ inheritancehash: 'abc' }]);
    expect(explain(world, 'U1', 'WriteOwner', 'T')).toEqual(['U1 WriteOwnerRaw T']);
  });
});

describe('ProtectAdminGroups', () => {
  const holder: Thing = ['H', 'Container', { distinguishedname: 'CN=ADMINSDHOLDER,CN=SYSTEM,DC=CORP' }];

  test('goes from AdminSDHolder to protected principals of its domain', () => {
    const world = worldOf(
      [
        D,
        holder,
        ['U1', 'User', { adminsdholderprotected: true }],
        ['G1', 'Group', { adminsdholderprotected: true }],
        ['C1', 'Computer', { adminsdholderprotected: true }],
        ['U2', 'User', { adminsdholderprotected: false }],
        ['U3', 'User', { adminsdholderprotected: true, domainsid: OTHER }],
        ['O1', 'OU', { adminsdholderprotected: true }],
      ],
      [],
    );
    expect(derive(world)).toEqual(['C1', 'G1', 'U1'].map((id) => `H ProtectAdminGroups ${id}`));
  });

  test('is absent without the container or in a domain that was not collected', () => {
    const target: Thing = ['U1', 'User', { adminsdholderprotected: true }];
    expect(derive(worldOf([D, target], []))).toEqual([]);
    expect(derive(worldOf([['D', 'Domain'], holder, target], []))).toEqual([]);
  });
});

describe('HasTrustKeys', () => {
  const T: Thing = ['T', 'Domain', { domainsid: OTHER }];
  const account: Thing = ['A', 'User', { domainsid: OTHER, samaccountname: 'Corp$' }];
  const trusting = (props: JsonObject): Thing => ['D', 'Domain', { collected: true, ...props }];

  test.each<EdgeKindName>(['SameForestTrust', 'CrossForestTrust'])(
    'goes to the trust account in the domain trusted by %s',
    (kind) => {
      const world = worldOf([trusting({ netbios: 'CORP' }), T, account], [['D', kind, 'T']]);
      expect(derive(world)).toEqual(['D HasTrustKeys A']);
      expect(explain(world, 'D', 'HasTrustKeys', 'A')).toEqual([`D ${kind} T`]);
    },
  );

  test.each<[string, Thing[], Fact[]]>([
    ['the NetBIOS name is unknown', [trusting({}), T, account], [['D', 'CrossForestTrust', 'T']]],
    [
      'the trust runs the other way',
      [trusting({ netbios: 'CORP' }), T, account],
      [['T', 'CrossForestTrust', 'D']],
    ],
    ['the account is missing', [trusting({ netbios: 'CORP' }), T], [['D', 'CrossForestTrust', 'T']]],
  ])('is absent when %s', (_, things, facts) => {
    expect(derive(worldOf(things, facts))).toEqual([]);
  });
});

describe('relaying NTLM to SMB', () => {
  const A: Thing = ['CORP-S-1-5-11', 'Group'];
  const C2: Thing = ['C2', 'Computer', { smbsigning: false }];
  const c1 = (props: JsonObject = { restrictoutboundntlm: false }): Thing => ['C1', 'Computer', props];
  const edge = 'CORP-S-1-5-11 CoerceAndRelayNTLMToSMB C2';
  /** AdminTo is derived, so it is given the way it is collected. */
  const admins = (...members: string[]): Fact[] => [
    ['C2-544', 'LocalToComputer', 'C2'],
    ...members.map((member): Fact => [member, 'MemberOfLocalGroup', 'C2-544']),
  ];
  const run = (things: Thing[], facts: Fact[]) =>
    derive(worldOf([D, A, ['C2-544', 'ADLocalGroup'], ...things], facts)).filter((found) =>
      found.includes('NTLM'),
    );

  test.each<[string, Thing[], Fact[], string[]]>([
    ['another computer administers it', [c1(), C2], admins('C1'), [edge]],
    ['that computer restricts outgoing NTLM', [c1({ restrictoutboundntlm: true }), C2], admins('C1'), []],
    ['nothing is known of outgoing NTLM', [c1({}), C2], admins('C1'), []],
    [
      'a group of the computer administers it',
      [c1(), C2, ...groups('G1')],
      [...admins('G1'), ['C1', 'MemberOf', 'G1']],
      [edge],
    ],
    [
      'only itself administers it',
      [['C2', 'Computer', { smbsigning: false, restrictoutboundntlm: false }]],
      admins('C2'),
      [],
    ],
    ['it demands signing', [c1(), ['C2', 'Computer', { smbsigning: true }]], admins('C1'), []],
    ['nothing is known of signing', [c1(), ['C2', 'Computer']], admins('C1'), []],
  ])('when %s', (_, things, facts, expected) => {
    expect(run(things, facts)).toEqual(expected);
  });

  test.each([
    ['2016', []],
    ['2012', [edge]],
    [undefined, []],
  ])('of a member of Protected Users on functional level %s', (functionallevel, expected) => {
    const world = worldOf(
      [
        ['D', 'Domain', { collected: true, ...(functionallevel === undefined ? {} : { functionallevel }) }],
        A,
        ['C2-544', 'ADLocalGroup'],
        c1(),
        C2,
        ...groups(`${SID}-525`),
      ],
      [...admins('C1'), ['C1', 'MemberOf', `${SID}-525`]],
    );
    expect(derive(world).filter((found) => found.includes('NTLM'))).toEqual(expected);
  });

  test('lists the computers that can be coerced and explains the way', () => {
    const facts: Fact[] = [
      ['G1', 'AdminTo', 'C2'],
      ['C1', 'MemberOf', 'G1'],
    ];
    const world = worldOf([D, A, c1(), C2, ...groups('G1')], facts);
    const ref = { start: world.node(A[0]), kind: EdgeKind.CoerceAndRelayNTLMToSMB, end: world.node('C2') };
    expect(world.ids(relayTargets(OBSERVATION.contextOf(inputOf(world)), ref, AD_RULES))).toEqual(['C1']);
    expect(explain(world, A[0], 'CoerceAndRelayNTLMToSMB', 'C2').sort()).toEqual([
      'C1 MemberOf G1',
      'G1 AdminTo C2',
    ]);
  });
});

describe('relaying NTLM to LDAP', () => {
  const A: Thing = ['CORP-S-1-5-11', 'Group'];
  const victim: Thing = ['C1', 'Computer', { restrictoutboundntlm: false, webclientrunning: true }];
  const controller = (id: string, props: JsonObject): Thing => [id, 'Computer', { isdc: true, ...props }];
  const plain = { ldapavailable: true, ldapsigning: false };
  const tls = { ldapsavailable: true, ldapsepa: false };

  test.each<[string, Thing[], string[]]>([
    ['a controller does not demand signing', [victim, controller('DC', plain)], ['ToLDAP']],
    ['a controller does not demand channel binding', [victim, controller('DC', tls)], ['ToLDAPS']],
    ['a controller demands neither', [victim, controller('DC', { ...plain, ...tls })], ['ToLDAP', 'ToLDAPS']],
    ['signing is unknown', [victim, controller('DC', { ldapavailable: true })], []],
    ['the controller is in another domain', [victim, controller('DC', { ...plain, domainsid: OTHER })], []],
    [
      'WebClient does not run',
      [['C1', 'Computer', { restrictoutboundntlm: false }], controller('DC', plain)],
      [],
    ],
    [
      'the only weak controller is the computer itself',
      [['C1', 'Computer', { ...victim[2], isdc: true, ...plain }]],
      [],
    ],
    [
      'one of two weak controllers is the computer itself',
      [['C1', 'Computer', { ...victim[2], isdc: true, ...plain }], controller('DC', plain)],
      ['ToLDAP'],
    ],
  ])('when %s', (_, things, expected) => {
    const world = worldOf([D, A, ...things], []);
    expect(derive(world)).toEqual(expected.map((to) => `${A[0]} CoerceAndRelayNTLM${to} C1`));
  });

  test('lists the controllers that accept the relay', () => {
    const world = worldOf([D, A, victim, controller('DC', plain)], []);
    const ref = { start: world.node(A[0]), kind: EdgeKind.CoerceAndRelayNTLMToLDAP, end: world.node('C1') };
    expect(world.ids(relayTargets(OBSERVATION.contextOf(inputOf(world)), ref, AD_RULES))).toEqual(['DC']);
  });
});

describe('experimental rules', () => {
  const things: Thing[] = [
    D,
    ['O1', 'OU', { isaclprotected: true }],
    ['O2', 'OU', { blocksinheritance: true, isaclprotected: false }],
    ['P1', 'GPO'],
    ['P2', 'GPO'],
    ['P3', 'GPO'],
    ...users('U1', 'U2', 'U3'),
  ];
  const facts: Fact[] = [
    ['D', 'Contains', 'O1'],
    ['O1', 'Contains', 'O2'],
    ['O1', 'Contains', 'U1'],
    ['O2', 'Contains', 'U2'],
    ['P1', 'GPLink', 'D'],
    ['P2', 'GPLink', 'D', EdgeFlag.Enforced],
    ['P3', 'GPLink', 'O2'],
    ['U3', 'GenericAll', 'O1'],
  ];

  test('are off by default: the other edges show the control that is not passed on', () => {
    expect(derive(worldOf(things, facts))).toEqual(['P1 GPOAppliesTo U1', 'P1 NotPassedOn D']);
    expect(derive(worldOf(things, facts), { mode: 'parity' })).toEqual([]);
  });

  test('a protected object in a container is under the units above alone', () => {
    const inContainer: Fact[] = [
      ['O1', 'Contains', 'C'],
      ['C', 'Contains', 'U1'],
    ];
    const shielded: Thing[] = [D, ['O1', 'OU'], ['C', 'Container'], ['U1', 'User', { isaclprotected: true }]];
    expect(derive(worldOf(shielded, inContainer))).toEqual(['C NotPassedOn U1', 'O1 ContainsIdentity U1']);
  });

  test('follow policies down the containers, past a blocking unit only when enforced', () => {
    expect(derive(worldOf(things, facts), { features: ['gpo_application'] })).toEqual([
      'P1 GPOAppliesTo U1',
      'P1 NotPassedOn D',
      'P2 GPOAppliesTo U1',
      'P2 GPOAppliesTo U2',
      'P3 GPOAppliesTo U2',
      'U3 CanApplyGPO U1',
      'U3 CanApplyGPO U2',
    ]);
  });

  test('end on containers that contain each other', () => {
    const circle: Fact[] = [...facts, ['O2', 'Contains', 'O1']];
    expect(derive(worldOf(things, circle), { features: ['gpo_application'] })).toContain(
      'P1 GPOAppliesTo U1',
    );
  });

  test('refine containment', () => {
    expect(derive(worldOf(things, facts), { features: ['containment_edges'] })).toEqual([
      'D ContainsIdentity U1',
      'D ContainsIdentity U2',
      'D ContainsIdentity U3',
      'O1 PropagatesACEsTo O2',
      'P1 GPOAppliesTo U1',
      'P1 NotPassedOn D',
    ]);
  });
});

describe('all rules', () => {
  const ids = ['C1', 'C2', 'G1', 'G2', 'U1', 'U2', 'C1-544', 'C2-544', 'C1-555', 'D'];
  const collected = [
    'GetChanges',
    'GetChangesAll',
    'MemberOf',
    'MemberOfLocalGroup',
    'LocalToComputer',
    'OwnsRaw',
    'RemoteInteractiveLogonRight',
  ] as const;
  const kindOf = (id: string): NodeKindName => {
    if (id === 'D') return 'Domain';
    if (id.includes('-')) return 'ADLocalGroup';
    return id.startsWith('C') ? 'Computer' : id.startsWith('G') ? 'Group' : 'User';
  };
  const things = ids.map((id): Thing => [id, kindOf(id), id === 'D' ? { collected: true } : {}]);
  const anyFact = fc
    .tuple(fc.constantFrom(...ids), fc.constantFrom(...collected), fc.constantFrom(...ids))
    .map((fact): Fact => fact);

  test('agree with an obvious twin on who holds both replication rights', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 14 }), (facts) => {
        const world = worldOf(things, facts);
        const holds = (id: string, kind: EdgeKindName): boolean => holdsThrough(facts, id, kind, new Set());
        const covered = new Set(
          derive(world)
            .filter((edge) => edge.endsWith(' DCSync D'))
            .map((edge) => edge.split(' ')[0]),
        );
        // Every principal with both rights is below a covered one, and no one else is.
        for (const id of ids.filter((other) => other !== 'D')) {
          const both = holds(id, 'GetChanges') && holds(id, 'GetChangesAll');
          const below = [...covered].some((group) => group === id || isBelow(facts, id, group, new Set()));
          expect([id, below]).toEqual([id, both]);
        }
      }),
      { numRuns: 100 * RUNS },
    );
  });

  test('give the same edges in the same order however the facts are given', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 20 }), fc.nat(), (facts, turn) => {
        const cut = turn % (facts.length + 1);
        const turned = [...facts.slice(cut), ...facts.slice(0, cut)];
        const columns = (world: TestGraph) => {
          const { edges } = analyze(OBSERVATION.contextOf(inputOf(world)), AD_RULES);
          return [[...edges.starts], [...edges.kinds], [...edges.ends], [...edges.flags]];
        };
        expect(columns(worldOf([...things].reverse(), turned))).toEqual(columns(worldOf(things, facts)));
      }),
    );
  });
});

function holdsThrough(facts: readonly Fact[], id: string, kind: EdgeKindName, seen: Set<string>): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  return facts.some(
    ([start, found, end]) =>
      start === id &&
      ((found === kind && end === 'D') ||
        ((found === 'MemberOf' || found === 'MemberOfLocalGroup') &&
          /^G|-/.test(end) &&
          holdsThrough(facts, end, kind, seen))),
  );
}

function isBelow(facts: readonly Fact[], id: string, group: string, seen: Set<string>): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  return facts.some(
    ([start, kind, end]) =>
      start === id &&
      (kind === 'MemberOf' || kind === 'MemberOfLocalGroup') &&
      /^G|-/.test(end) &&
      (end === group || isBelow(facts, end, group, seen)),
  );
}

// Undeclared reads throw in the tests above.
test('the rules read all that they declare', () => {
  // Only rules of certificates use forests.
  const shared = [...sharedOf(AD_RULES)].filter(({ name }) => name !== 'domains');
  expect(OBSERVATION.unused([...AD_RULES, ...shared, HELD_RIGHTS])).toEqual([]);
});
