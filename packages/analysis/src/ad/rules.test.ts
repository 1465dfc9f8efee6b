import type { JsonObject } from '@clew/graph';
import type { TestGraph } from '@clew/graph/testing';
import { EdgeFlag, type EdgeKindName, type NodeKindName } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  D,
  type Fact,
  groups,
  ObservedRules,
  OTHER,
  RUNS,
  SID,
  sharedBy,
  type Thing,
  users,
  worldOf,
} from '../../test/ad/adWorld.ts';
import { analyze } from '../analyze.ts';
import { HELD_RIGHT_READS } from '../directory/heldRights.ts';
import { relayToLdap } from '../ntlm/relayToLdap.ts';
import { relayToSmb } from '../ntlm/relayToSmb.ts';
import { adminTo, canPsRemote, executeDcom } from './localGroupRights.ts';
import { canRdp } from './remoteDesktop.ts';
import { AD_RULES } from './rules.ts';

/** Rules tested in `computerRights.test.ts` and `ntlm/relay.test.ts`. */
const ELSEWHERE = [adminTo, canPsRemote, executeDcom, canRdp, relayToSmb, relayToLdap];
const HELD_RIGHTS = { name: 'held rights', reads: HELD_RIGHT_READS };

const rules = new ObservedRules();

describe('DCSync', () => {
  const both = (principal: string): Fact[] => [
    [principal, 'GetChanges', 'D'],
    [principal, 'GetChangesAll', 'D'],
  ];

  test('follows from both replication rights', () => {
    const world = worldOf([D, ...users('U1')], both('U1'));
    expect(rules.derive(world)).toEqual(['U1 DCSync D']);
    expect(rules.explain(world, 'U1', 'DCSync', 'D')).toEqual(['U1 GetChanges D', 'U1 GetChangesAll D']);
  });

  test.each<[string, JsonObject]>([
    ['false', { collected: false }],
    ['absent', {}],
  ])('needs a collected domain, not one with the mark %s', (_, props) => {
    expect(rules.derive(worldOf([['D', 'Domain', props], ...users('U1')], both('U1')))).toEqual([]);
  });

  test.each<EdgeKindName>(['GenericAll', 'AllExtendedRights', 'WriteDacl', 'GetChanges', 'GetChangesAll'])(
    'does not follow from %s alone',
    (kind) => {
      expect(rules.derive(worldOf([D, ...users('U1')], [['U1', kind, 'D']]))).toEqual([]);
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
    expect(rules.derive(world)).toEqual(['U1 DCSync D']);
    expect(rules.explain(world, 'U1', 'DCSync', 'D').sort()).toEqual([
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

  // Reference vectors: holders of the first right, of the second, memberships, result.
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
    expect(rules.derive(world)).toEqual(edges(clean));
    expect(rules.derive(world, { mode: 'parity' })).toEqual(edges(parity));
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
    expect(rules.derive(world)).toEqual(['U1 SyncLAPSPassword C1']);
    expect(rules.explain(world, 'U1', 'SyncLAPSPassword', 'C1')).toEqual([
      'U1 GetChanges D',
      'U1 GetChangesInFilteredSet D',
    ]);
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
      expect(rules.derive(world)).toEqual(expected === undefined ? [] : [`${principal} ${expected} T`]);
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
    const { edges } = analyze(rules.contextOf(world), AD_RULES);
    const acl = EdgeFlag.Acl | EdgeFlag.HasAcl | EdgeFlag.Derived;
    expect([...edges.flags].sort()).toEqual([acl, acl | EdgeFlag.Inherited].sort());
    expect([...edges.properties.values()]).toEqual([{ inheritancehash: 'abc' }]);
    expect(rules.explain(world, 'U1', 'WriteOwner', 'T')).toEqual(['U1 WriteOwnerRaw T']);
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
    expect(rules.derive(world)).toEqual(['C1', 'G1', 'U1'].map((id) => `H ProtectAdminGroups ${id}`));
  });

  test('is absent without the container or in a domain that was not collected', () => {
    const target: Thing = ['U1', 'User', { adminsdholderprotected: true }];
    expect(rules.derive(worldOf([D, target], []))).toEqual([]);
    expect(rules.derive(worldOf([['D', 'Domain'], holder, target], []))).toEqual([]);
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
      expect(rules.derive(world)).toEqual(['D HasTrustKeys A']);
      expect(rules.explain(world, 'D', 'HasTrustKeys', 'A')).toEqual([`D ${kind} T`]);
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
    expect(rules.derive(worldOf(things, facts))).toEqual([]);
  });
});

describe('CanAddComputer', () => {
  const AU: Thing = ['CORP.LOCAL-S-1-5-11', 'Group'];
  const COMPUTERS: Thing = [`${SID}-515`, 'Group'];
  const domain = (props: JsonObject): Thing => ['D', 'Domain', { collected: true, ...props }];

  test('goes from Authenticated Users to Domain Computers of a domain in which everyone may join some', () => {
    const things: Thing[] = [
      ...[domain({ machineaccountquota: 10 }), AU, COMPUTERS],
      ['OTHER.LOCAL-S-1-5-11', 'Group', { domainsid: OTHER }],
      [`${OTHER}-515`, 'Group', { domainsid: OTHER }],
    ];
    const edge = `${AU[0]} CanAddComputer ${COMPUTERS[0]}`;
    expect(rules.derive(worldOf(things, []))).toEqual([edge]);
    expect(rules.derive(worldOf(things, []), { mode: 'parity' })).toEqual([]);
  });

  test.each<[string, Thing[]]>([
    ['the quota is 0', [domain({ machineaccountquota: 0 }), AU, COMPUTERS]],
    ['the quota was not collected', [domain({}), AU, COMPUTERS]],
    ['the domain was not collected', [['D', 'Domain', { machineaccountquota: 10 }], AU, COMPUTERS]],
    ['the group was not collected', [domain({ machineaccountquota: 10 }), AU]],
  ])('is absent when %s', (_, things) => {
    expect(rules.derive(worldOf(things, []))).toEqual([]);
  });
});

describe('SynchronizesAs', () => {
  const account: Thing = [
    'A',
    'User',
    {
      name: 'MSOL_0123456789AB@CORP.LOCAL',
      description:
        'Account created by Microsoft Azure AD Connect running on computer SYNC1 configured to ...',
    },
  ];
  const cloudAccount: Thing = ['B', 'AZUser', { name: 'SYNC_SYNC1_0123456789AB@CORP.EXAMPLE' }];
  const server: Thing = ['S', 'Computer', { name: 'SYNC1.CORP.LOCAL' }];
  const other: Thing = ['O', 'Computer', { name: 'SYNC2.CORP.LOCAL' }];

  test('goes from the server that the synchronization names to its accounts in both directories', () => {
    const world = worldOf([D, account, cloudAccount, server, other], []);
    expect(rules.derive(world)).toEqual(['S SynchronizesAs A', 'S SynchronizesAs B']);
    expect(rules.derive(world, { mode: 'parity' })).toEqual([]);
  });

  test('is absent where the account names no server that was collected, or is not one of the synchronization', () => {
    expect(rules.derive(worldOf([D, account, other], []))).toEqual([]);
    const someone: Thing = ['A', 'User', { ...account[2], name: 'SVC_SYNC@CORP.LOCAL' }];
    expect(rules.derive(worldOf([D, someone, server], []))).toEqual([]);
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
    expect(rules.derive(worldOf(things, facts))).toEqual([
      'P1 GPOAppliesTo U1',
      'P1 NotPassedOn D',
      'P2 GPOAppliesTo O1',
      'P2 NotPassedOn D',
    ]);
    expect(rules.derive(worldOf(things, facts), { mode: 'parity' })).toEqual([]);
  });

  test('a protected object in a container is under the units above alone', () => {
    const inContainer: Fact[] = [
      ['O1', 'Contains', 'C'],
      ['C', 'Contains', 'U1'],
    ];
    const shielded: Thing[] = [D, ['O1', 'OU'], ['C', 'Container'], ['U1', 'User', { isaclprotected: true }]];
    expect(rules.derive(worldOf(shielded, inContainer))).toEqual([
      'C NotPassedOn U1',
      'O1 ContainsIdentity U1',
    ]);
  });

  test('follow policies down the containers, past a blocking unit only when enforced', () => {
    expect(rules.derive(worldOf(things, facts), { features: ['gpo_application'] })).toEqual([
      'P1 GPOAppliesTo U1',
      'P1 NotPassedOn D',
      'P2 GPOAppliesTo O1',
      'P2 GPOAppliesTo U1',
      'P2 GPOAppliesTo U2',
      'P2 NotPassedOn D',
      'P3 GPOAppliesTo U2',
      'U3 CanApplyGPO U1',
      'U3 CanApplyGPO U2',
    ]);
  });

  test('end on containers that contain each other', () => {
    const circle: Fact[] = [...facts, ['O2', 'Contains', 'O1']];
    expect(rules.derive(worldOf(things, circle), { features: ['gpo_application'] })).toContain(
      'P1 GPOAppliesTo U1',
    );
  });

  test('refine containment', () => {
    expect(rules.derive(worldOf(things, facts), { features: ['containment_edges'] })).toEqual([
      'D ContainsIdentity U1',
      'D ContainsIdentity U2',
      'D ContainsIdentity U3',
      'O1 PropagatesACEsTo O2',
      'P1 GPOAppliesTo U1',
      'P1 NotPassedOn D',
      'P2 GPOAppliesTo O1',
      'P2 NotPassedOn D',
    ]);
  });
});

describe('policies and units', () => {
  const DISABLED = { enabled: false };
  const PROTECTED = { isaclprotected: true };
  const inUnit = (child: Thing, ...links: Fact[]): [Thing[], Fact[]] => [
    [D, ['O', 'OU'], ['P', 'GPO'], child],
    [['D', 'Contains', 'O'], ['O', 'Contains', child[0]], ['P', 'GPLink', 'O'], ...links],
  ];

  test.each<[string, Thing, string[]]>([
    ['an account', ['X', 'User', { enabled: true }], []],
    ['a protected account', ['X', 'User', { ...PROTECTED, enabled: true }], []],
    ['an account that is not known to be disabled', ['X', 'Computer'], []],
    ['a group', ['X', 'Group'], ['P NotPassedOn O']],
    ['a disabled account', ['X', 'User', DISABLED], ['P NotPassedOn O']],
    ['a disabled computer', ['X', 'Computer', DISABLED], ['P NotPassedOn O']],
    [
      'a protected group, which the unit gives nothing either',
      ['X', 'Group', PROTECTED],
      ['D ContainsIdentity X', 'O NotPassedOn X', 'P NotPassedOn O'],
    ],
    [
      'a protected disabled account',
      ['X', 'User', { ...PROTECTED, ...DISABLED }],
      ['D ContainsIdentity X', 'O NotPassedOn X', 'P NotPassedOn O'],
    ],
  ])('a policy at the unit of %s', (_, child, expected) => {
    const world = worldOf(...inUnit(child));
    expect(rules.derive(world)).toEqual(expected);
    expect(rules.derive(world, { mode: 'parity' })).toEqual([]);
  });

  test('a policy reaches the account next to a group, and a unit of accounts alone as a whole', () => {
    const [things, facts] = inUnit(['G', 'Group'], ['O', 'Contains', 'U'], ['O', 'Contains', 'O2']);
    const world = worldOf(
      [...things, ['U', 'User'], ['O2', 'OU'], ['V', 'User']],
      [...facts, ['O2', 'Contains', 'V']],
    );
    expect(rules.derive(world)).toEqual(['P GPOAppliesTo O2', 'P GPOAppliesTo U', 'P NotPassedOn O']);
  });

  test.each([
    [100, 1],
    [101, 0],
  ])('a link to a unit with a group and %s accounts is listed: %s', (count, listed) => {
    const [things, facts] = inUnit(['G', 'Group']);
    const ids = Array.from({ length: count }, (_, at) => `U${at}`);
    const world = worldOf(
      [...things, ...users(...ids)],
      [...facts, ...ids.map((id): Fact => ['O', 'Contains', id])],
    );
    const found = rules.derive(world);
    expect(found.filter((edge) => edge === 'P NotPassedOn O')).toHaveLength(listed);
    expect(found).toHaveLength(listed * (1 + count));
  });

  test('a policy of the domain stands for it only where a controller takes it', () => {
    const things: Thing[] = [
      D,
      ['K', 'Computer'],
      ['O', 'OU', { blocksinheritance: true }],
      ['P', 'GPO'],
      ['U', 'User'],
    ];
    const facts: Fact[] = [
      ['K', 'DCFor', 'D'],
      ['D', 'Contains', 'O'],
      ['D', 'Contains', 'U'],
      ['P', 'GPLink', 'D'],
    ];
    const below = (place: string): Fact[] => [...facts, [place, 'Contains', 'K']];
    expect(rules.derive(worldOf(things, below('D')))).toEqual([]);
    expect(rules.derive(worldOf(things, below('O')))).toEqual(['P GPOAppliesTo U', 'P NotPassedOn D']);
    const enforced = below('O').map(
      (fact): Fact => (fact[1] === 'GPLink' ? ['P', 'GPLink', 'D', EdgeFlag.Enforced] : fact),
    );
    expect(rules.derive(worldOf(things, enforced))).toEqual([]);
  });

  test('a unit that inherits nothing is under the unit above with its accounts alone', () => {
    const world = worldOf(
      [D, ['O1', 'OU'], ['O2', 'OU', PROTECTED], ['U', 'User'], ['G', 'Group']],
      [
        ['D', 'Contains', 'O1'],
        ['O1', 'Contains', 'O2'],
        ['O2', 'Contains', 'U'],
        ['O2', 'Contains', 'G'],
      ],
    );
    expect(rules.derive(world)).toEqual([
      'D ContainsIdentity O2',
      'O1 ContainsIdentity U',
      'O1 NotPassedOn O2',
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
          rules
            .derive(world)
            .filter((edge) => edge.endsWith(' DCSync D'))
            .map((edge) => edge.split(' ')[0]),
        );
        // Every principal with both rights is below a covered one, and no other principal is.
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
          const { edges } = analyze(rules.contextOf(world), AD_RULES);
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
  const others = AD_RULES.filter((rule) => !ELSEWHERE.includes(rule));
  expect(rules.unused([...others, HELD_RIGHTS, ...sharedBy(others)])).toEqual([]);
});
