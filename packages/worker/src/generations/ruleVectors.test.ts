/**
 * Tests the vectors of Active Directory and Azure rules, uploaded as one OpenGraph payload and processed completely: each is a separate
 * world, and the complete set of derived edges is compared. Vectors: `docs/rules.md#worked-cases` and
 * `docs/reference/azurehound.md#entity-lists`. A domain without a name has no well-known groups, so nothing else follows.
 */

import type { Generation } from '@clew/generation';
import { ingestAll, upload } from '@clew/intake/testing';
import type { EdgeKindName, NodeKindName } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildContext } from '../../test/generations/builds.ts';
import { derivedEdges } from '../../test/generations/derivedEdges.ts';
import { createAnalysis } from './analysis.ts';
import { buildGeneration } from './buildGeneration.ts';

type Value = string | number | boolean | readonly string[];
type Thing = readonly [id: string, kind: NodeKindName, props?: Readonly<Record<string, Value>>];
/** `start kind end`. */
type Edge = `${string} ${EdgeKindName} ${string}`;

interface Vector {
  readonly name: string;
  readonly things: readonly Thing[];
  readonly facts: readonly Edge[];
  /** All derived edges. */
  readonly expected: readonly Edge[];
}

const D: Thing = ['D', 'Domain', { collected: true, domainsid: 'D' }];
const users = (...ids: string[]): Thing[] => ids.map((id) => [id, 'User', { domainsid: 'D' }]);
const groups = (...ids: string[]): Thing[] => ids.map((id) => [id, 'Group', { domainsid: 'D' }]);
const computer = (id: string, props: Readonly<Record<string, Value>> = {}): Thing => [
  id,
  'Computer',
  { domainsid: 'D', ...props },
];
const local = (id: string, name = id): Thing => [id, 'ADLocalGroup', { name }];
/** dSHeuristics with the given character at the position of BlockOwnerImplicitRights. */
const enforcing = (character: string): Thing => [
  'D',
  'Domain',
  { domainsid: 'D', dsheuristics: `${'0'.repeat(28)}${character}` },
];

const REPLICATION: readonly Vector[] = [
  {
    name: 'both replication rights',
    things: [D, ...users('U1')],
    facts: ['U1 GetChanges D', 'U1 GetChangesAll D'],
    expected: ['U1 DCSync D'],
  },
  {
    name: 'a domain that was not collected',
    things: [['D', 'Domain', { domainsid: 'D' }], ...users('U1')],
    facts: ['U1 GetChanges D', 'U1 GetChangesAll D'],
    expected: [],
  },
  { name: 'GenericAll only', things: [D, ...users('U1')], facts: ['U1 GenericAll D'], expected: [] },
  {
    name: 'one right from the group, one of its own',
    things: [D, ...users('U1'), ...groups('G1')],
    facts: ['G1 GetChanges D', 'U1 GetChangesAll D', 'U1 MemberOf G1'],
    expected: ['U1 DCSync D'],
  },
  {
    name: 'nested groups that both qualify',
    things: [D, ...users('U1'), ...groups('G1', 'G2', 'G3', 'G4')],
    facts: [
      ...(['G1 GetChanges D', 'G2 GetChangesAll D', 'G4 MemberOf G1', 'G4 MemberOf G2'] as const),
      ...(['G3 MemberOf G4', 'U1 MemberOf G3'] as const),
    ],
    expected: ['G4 DCSync D'],
  },
  {
    name: 'LAPS computers of the domain',
    things: [
      D,
      ...users('U1'),
      computer('C1', { haslaps: true }),
      computer('C2', { haslaps: false }),
      computer('C3', { haslaps: true, domainsid: 'E' }),
    ],
    facts: ['U1 GetChanges D', 'U1 GetChangesInFilteredSet D'],
    expected: ['U1 SyncLAPSPassword C1'],
  },
];

const LOCAL: readonly Vector[] = [
  {
    name: 'direct members of local groups',
    things: [
      computer('C'),
      local('C-544'),
      local('C-580'),
      local('C-562'),
      ...groups('G1'),
      ...users('U1', 'U2'),
    ],
    facts: [
      ...(['C-544 LocalToComputer C', 'C-580 LocalToComputer C', 'C-562 LocalToComputer C'] as const),
      ...(['G1 MemberOfLocalGroup C-544', 'U1 MemberOfLocalGroup C-544', 'U2 MemberOf G1'] as const),
      'U2 MemberOfLocalGroup C-562',
    ],
    expected: ['G1 AdminTo C', 'U1 AdminTo C', 'U2 ExecuteDCOM C'],
  },
  ...(
    [
      ['the group holds the right', ['C-555 RemoteInteractiveLogonRight C'], ['G1 CanRDP C', 'U1 CanRDP C']],
      ['a member holds the right', ['G1 RemoteInteractiveLogonRight C'], ['G1 CanRDP C']],
      ['nobody holds the right', [], []],
    ] as const
  ).map(
    ([name, rights, expected]): Vector => ({
      name,
      things: [
        computer('C', { hasura: true }),
        local('C-555', 'REMOTE DESKTOP USERS@C'),
        ...groups('G1'),
        ...users('U1'),
      ],
      facts: [
        'C-555 LocalToComputer C',
        'G1 MemberOfLocalGroup C-555',
        'U1 MemberOfLocalGroup C-555',
        ...rights,
      ],
      expected,
    }),
  ),
  {
    name: 'Citrix asks for Direct Access Users too',
    things: [
      ...[computer('C'), local('C-555', 'REMOTE DESKTOP USERS@C'), local('C-1001', 'DIRECT ACCESS USERS@C')],
      ...users('U1', 'U2'),
    ],
    facts: [
      ...([
        'C-555 LocalToComputer C',
        'C-1001 LocalToComputer C',
        'C-555 RemoteInteractiveLogonRight C',
      ] as const),
      ...([
        'U1 MemberOfLocalGroup C-555',
        'U2 MemberOfLocalGroup C-555',
        'U1 MemberOfLocalGroup C-1001',
      ] as const),
    ],
    expected: ['U1 CanRDP C'],
  },
];

const OWNERSHIP: readonly Vector[] = (
  [
    ['not enforced', D, computer('T'), 'OwnsRaw', ['U1 Owns T']],
    ['enforced, a user', enforcing('1'), ['T', 'User', { domainsid: 'D' }], 'OwnsRaw', ['U1 Owns T']],
    ['enforced, a computer', enforcing('1'), computer('T'), 'OwnsRaw', []],
    [
      'enforced, a managed account',
      enforcing('1'),
      ['T', 'User', { domainsid: 'D', gmsa: true }],
      'WriteOwnerRaw',
      [],
    ],
    [
      'enforced, a unit',
      enforcing('1'),
      ['T', 'OU', { domainsid: 'D' }],
      'WriteOwnerRaw',
      ['U1 WriteOwner T'],
    ],
    ['another value', enforcing('2'), computer('T'), 'WriteOwnerRaw', ['U1 WriteOwner T']],
  ] as const
).map(
  ([name, domain, target, raw, expected]): Vector => ({
    name: `ownership: ${name}`,
    things: [domain, target, ...users('U1')],
    facts: [`U1 ${raw} T`],
    expected,
  }),
);

const RELAY: readonly Vector[] = (
  [
    ['to SMB', { restrictoutboundntlm: false }, {}, '2016', false, ['A-S-1-5-11 CoerceAndRelayNTLMToSMB C2']],
    ['from a restricted computer', { restrictoutboundntlm: true }, {}, '2016', false, []],
    ['with nothing known', {}, {}, '2016', false, []],
    ['from Protected Users', { restrictoutboundntlm: false }, {}, '2016', true, []],
    [
      'from Protected Users of an old domain',
      { restrictoutboundntlm: false },
      {},
      '2012',
      true,
      ['A-S-1-5-11 CoerceAndRelayNTLMToSMB C2'],
    ],
    [
      'to LDAP',
      { restrictoutboundntlm: true, webclientrunning: true },
      { restrictoutboundntlm: false, webclientrunning: true, smbsigning: true },
      '2016',
      false,
      ['A-S-1-5-11 CoerceAndRelayNTLMToLDAP C2'],
    ],
  ] as const
).map(
  ([name, first, second, functionallevel, isProtected, expected]): Vector => ({
    name: `relay ${name}`,
    things: [
      ['D', 'Domain', { domainsid: 'D', functionallevel }],
      ...groups('A-S-1-5-11', 'D-525'),
      ...[computer('C1', first), computer('C2', { smbsigning: false, ...second }), local('C2-544')],
      computer('DC', { isdc: true, ldapavailable: true, ldapsigning: false }),
    ],
    facts: [
      ...(['C2-544 LocalToComputer C2', 'C1 MemberOfLocalGroup C2-544'] as const),
      ...(isProtected ? (['C1 MemberOf D-525'] as const) : []),
    ],
    expected: ['C1 AdminTo C2', ...expected],
  }),
);

const OTHER: readonly Vector[] = [
  {
    name: 'AdminSDHolder',
    things: [
      D,
      ['H', 'Container', { domainsid: 'D', distinguishedname: 'CN=ADMINSDHOLDER,CN=SYSTEM,DC=CORP' }],
      ['U1', 'User', { domainsid: 'D', adminsdholderprotected: true }],
      ['U2', 'User', { domainsid: 'D', adminsdholderprotected: false }],
    ],
    facts: [],
    expected: ['H ProtectAdminGroups U1'],
  },
  {
    name: 'trust keys',
    things: [
      ['D', 'Domain', { collected: true, domainsid: 'D', netbios: 'CORP' }],
      ['E', 'Domain', { domainsid: 'E' }],
      ['A', 'User', { domainsid: 'E', samaccountname: 'CORP$' }],
    ],
    facts: ['D CrossForestTrust E'],
    expected: ['D HasTrustKeys A'],
  },
];

const role = (id: string, templateid: string): Thing => [id, 'AZRole', { templateid, tenantid: 'T' }];
const GLOBAL = role('GA', '62e90394-69f5-4237-9190-012177145e10');
const contains = (...ids: string[]): Edge[] => ids.map((id): Edge => `T AZContains ${id}`);
const tenant = (things: readonly Thing[], facts: readonly Edge[]): Pick<Vector, 'things' | 'facts'> => ({
  things: [['T', 'AZTenant'], ...things],
  facts: [...contains(...things.map(([id]) => id)), ...facts],
});

const AZURE: readonly Vector[] = [
  {
    name: 'who resets whom',
    ...tenant(
      [
        ...(['U1', 'U2', 'U4'] as const).map((id): Thing => [id, 'AZUser']),
        ['GR', 'AZGroup', { isassignabletorole: true }],
        role('DR', '88d8e3e3-8f55-4a1e-953a-9b9898b8876b'),
        role('HD', '729827e3-9c14-49f7-bb1b-9608f156bbb8'),
        role('P1', '4ba39ca4-527c-499a-b93d-d9b492c50246'),
      ],
      ['U2 AZHasRole DR', 'U4 AZMemberOf GR'],
    ),
    expected: ['HD AZResetPassword U1', 'HD AZResetPassword U2', 'P1 AZResetPassword U1'],
  },
  {
    name: 'a role-assignable group holds Global Administrator',
    ...tenant(
      [
        ['GR', 'AZGroup', { isassignabletorole: true }],
        ['GN', 'AZGroup', { isassignabletorole: false }],
        ['U4', 'AZUser'],
        GLOBAL,
      ],
      ['GR AZHasRole GA', 'U4 AZMemberOf GR'],
    ),
    expected: [
      ...(['GR AZGlobalAdmin T', 'U4 AZGlobalAdmin T', 'U4 AZAddMembers GR', 'U4 AZAddMembers GN'] as const),
      'GA AZResetPassword U4',
    ],
  },
  {
    name: 'an ordinary group holds Global Administrator',
    ...tenant(
      [['GN', 'AZGroup', { isassignabletorole: false }], ['U1', 'AZUser'], GLOBAL],
      ['GN AZHasRole GA', 'U1 AZMemberOf GN'],
    ),
    expected: ['GN AZGlobalAdmin T', 'GA AZResetPassword U1'],
  },
  {
    name: 'RoleManagement.ReadWrite.Directory',
    ...tenant(
      [
        ['S1', 'AZServicePrincipal'],
        ['G0', 'AZServicePrincipal'],
        ['A1', 'AZApp'],
        ['GR', 'AZGroup', { isassignabletorole: true }],
        role('X', 'x'),
      ],
      ['S1 AZMGRoleManagement_ReadWrite_Directory G0'],
    ),
    expected: [
      ...([
        'S1 AZMGGrantAppRoles T',
        'S1 AZMGGrantRole X',
        'S1 AZMGAddMember GR',
        'S1 AZMGAddOwner GR',
      ] as const),
      ...(['S1', 'G0', 'A1'] as const).flatMap((id): Edge[] => [
        `S1 AZMGAddSecret ${id}`,
        `S1 AZMGAddOwner ${id}`,
      ]),
    ],
  },
  {
    name: 'Intune and devices',
    ...tenant(
      [
        ['U2', 'AZUser'],
        ['D1', 'AZDevice', { operatingsystem: 'Windows' }],
        ['D2', 'AZDevice', { operatingsystem: 'MacMDM' }],
        role('I', '3a2c62db-5318-420d-8d74-23affee5d9d5'),
      ],
      ['U2 AZHasRole I'],
    ),
    expected: ['U2 AZExecuteCommand D1'],
  },
  {
    name: 'application roles',
    ...tenant(
      [
        ['A1', 'AZApp'],
        role('APP', '9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3'),
        role('HY', '8ac3fc64-6eca-42ea-9e69-59f4c7b60eb2'),
      ],
      [],
    ),
    expected: ['APP AZAddSecret A1', 'HY AZAddOwner A1'],
  },
  {
    name: 'a synchronized user',
    things: [
      ['T', 'AZTenant'],
      ['C', 'AZUser', { onpremid: 'U', onpremsyncenabled: true }],
      ['C0', 'AZUser', { onpremid: 'U', onpremsyncenabled: false }],
      ['C9', 'AZUser', { onpremid: 'MISSING', onpremsyncenabled: true }],
      ['U', 'User', { domainsid: 'D' }],
    ],
    facts: contains('C', 'C0', 'C9'),
    expected: ['C SyncedToADUser U', 'U SyncedToEntraUser C'],
  },
];

const VECTORS = [...REPLICATION, ...LOCAL, ...OWNERSHIP, ...RELAY, ...OTHER, ...AZURE];

/** Properties that name an object of the same world. */
const REFERENCES: ReadonlySet<string> = new Set(['domainsid', 'onpremid', 'tenantid']);

const idIn = (world: number, id: string): string => `W${world}.${id}`;
const edgeIn = (world: number, edge: Edge): string => {
  const [start, kind, end] = edge.split(' ');
  return `${idIn(world, start)} ${kind} ${idIn(world, end)}`;
};

const kindFirst = (edge: string): string => {
  const [start, kind, end] = edge.split(' ');
  return `${kind} ${start} ${end}`;
};

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

function payload(): object {
  const nodes = VECTORS.flatMap(({ things }, world) =>
    things.map(([id, kind, props = {}]) => ({
      id: idIn(world, id),
      kinds: [kind],
      properties: Object.fromEntries(
        Object.entries(props).map(([key, value]) => [
          key,
          REFERENCES.has(key) ? idIn(world, String(value)) : value,
        ]),
      ),
    })),
  );
  const edges = VECTORS.flatMap(({ facts }, world) =>
    facts.map((fact) => {
      const [start, kind, end] = edgeIn(world, fact).split(' ');
      return { kind, start: { value: start }, end: { value: end } };
    }),
  );
  return { graph: { nodes, edges } };
}

it('derives from uploaded facts exactly the edges of the vectors', async () => {
  await upload(database, { name: 'vectors.json', content: payload() });
  await ingestAll(database);
  let generation: Generation | undefined;
  const context = buildContext(database, (built) => {
    generation = built;
  });
  expect(await buildGeneration({ ...context, analysis: createAnalysis({ mode: 'clean' }) })).toBe(true);
  const derived = derivedEdges(generation!);
  VECTORS.forEach(({ name, expected }, world) => {
    const found = derived.filter((edge) => edge.includes(` ${idIn(world, '')}`));
    expect({ name, edges: found }).toEqual({
      name,
      edges: expected.map((edge) => kindFirst(edgeIn(world, edge))).sort(),
    });
  });
});
