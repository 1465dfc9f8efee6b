/**
 * A directory graph for benchmarks: two domains with users, computers, nested groups, a tree of units with policies, certificate services,
 * rights and sessions; about ten edges per node, most of them rights of few groups. Equal for equal sizes.
 */

import { type Generation, noMarks } from '@clew/generation';
import { type AttackGraph, findNode, GraphBuilder, hasKind } from '@clew/graph';
import { newRandom } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';

export interface DirectoryGraph {
  readonly generation: Generation;
  /** Node numbers by kind, ascending. */
  nodesOf(kind: NodeKindName): readonly number[];
  /** Number of users in the first domain: the members of Domain Users. */
  readonly userCount: number;
  readonly domain: number;
  readonly domainUsers: number;
}

interface Plan {
  readonly id: string;
  readonly name: string;
  readonly kind: NodeKindName;
  readonly environment: string;
}

const DOMAIN = 'S-1-5-21-1004336348-1177238915-682003330';
const PARTNER = 'S-1-5-21-2204336348-3177238915-782003331';

const FIRST_NAMES =
  'ADA BEN CARLA DAVID ELLA FINN GRETA HUGO IDA JONAS KIRA LEO MIA NOAH OLGA PAUL ROSA SAM TINA UWE'.split(
    ' ',
  );
const LAST_NAMES =
  'ABEL BRANDT CONTI DUVAL EKMAN FISCHER GARCIA HAAS IVANOV JANSEN KOVAC LARSEN MORENO NOWAK OLSEN PETIT'.split(
    ' ',
  );

/** Groups of every domain, by relative id; they come first in all plans, after the domains. */
const BUILT_IN = [
  ['512', 'DOMAIN ADMINS'],
  ['513', 'DOMAIN USERS'],
  ['515', 'DOMAIN COMPUTERS'],
  ['519', 'ENTERPRISE ADMINS'],
  ['544', 'ADMINISTRATORS'],
] as const;
const [ADMINS, USERS, COMPUTERS, ENTERPRISE_ADMINS, ADMINISTRATORS] = [2, 3, 4, 5, 6];
const FIRST_OWN_GROUP = 5;

/** Shares of the nodes by kind. */
const SHARES = { User: 0.55, Computer: 0.28, Group: 0.08, Container: 0.05, OU: 0.01, GPO: 0.005 } as const;
const PARTNER_USERS = 0.02;
const FEW = {
  CertTemplate: 100,
  EnterpriseCA: 5,
  RootCA: 1,
  AIACA: 1,
  NTAuthStore: 1,
  IssuancePolicy: 1,
} as const;

/** @param size approximate number of nodes */
export function directoryGraph(size: number): DirectoryGraph {
  const plans = planNodes(size, newRandom(1));
  const inOrder = [...plans.keys()].sort((a, b) => (plans[a].id < plans[b].id ? -1 : 1));
  const builder = new GraphBuilder();
  const numbers = new Uint32Array(plans.length);
  for (const at of inOrder) {
    const { id, name, kind, environment } = plans[at];
    numbers[at] = builder.addNode({
      storeId: at + 1,
      objectId: id,
      name,
      kinds: [NodeKind.Base, NodeKind[kind]],
      environmentStoreId: environment === DOMAIN ? 1 : 2,
    });
  }
  addEdges(plans, newRandom(2), (start, kind, end, flags = 0) => {
    builder.addEdge(numbers[start], EdgeKind[kind], numbers[end], flags);
  });
  return describeGraph(builder.build());
}

function planNodes(size: number, random: () => number): readonly Plan[] {
  const plans: Plan[] = [
    { id: DOMAIN, kind: 'Domain', name: 'CORP.LOCAL', environment: DOMAIN },
    { id: PARTNER, kind: 'Domain', name: 'PARTNER.LOCAL', environment: PARTNER },
    ...BUILT_IN.map(([end, name]): Plan => {
      return { id: `${DOMAIN}-${end}`, kind: 'Group', name: `${name}@CORP.LOCAL`, environment: DOMAIN };
    }),
  ];
  const add = (kind: NodeKindName, count: number, environment: string): void => {
    const realm = environment === DOMAIN ? 'CORP.LOCAL' : 'PARTNER.LOCAL';
    const isPrincipal = kind === 'User' || kind === 'Computer' || kind === 'Group';
    for (let at = 0; at < count; at++) {
      const id = isPrincipal ? `${environment}-${1000 + plans.length}` : guid(random);
      plans.push({ id, kind, name: `${nameOf(kind, at, random)}@${realm}`, environment });
    }
  };
  for (const [kind, share] of Object.entries(SHARES))
    add(kind as NodeKindName, Math.ceil(size * share), DOMAIN);
  for (const [kind, count] of Object.entries(FEW)) add(kind as NodeKindName, count, DOMAIN);
  add('User', Math.ceil(size * PARTNER_USERS), PARTNER);
  return plans;
}

function nameOf(kind: NodeKindName, at: number, random: () => number): string {
  const pick = (names: readonly string[]): string => names[Math.floor(random() * names.length)];
  if (kind === 'User') return `${pick(FIRST_NAMES)}.${pick(LAST_NAMES)}${at}`;
  if (kind === 'Group') return `${pick(LAST_NAMES)} TEAM ${at}`;
  return `${kind.toUpperCase()}-${at.toString(36).toUpperCase()}`;
}

function guid(random: () => number): string {
  const digits = (count: number): string =>
    Math.floor(random() * 16 ** count)
      .toString(16)
      .toUpperCase()
      .padStart(count, '0');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-A${digits(3)}-${digits(12)}`;
}

type AddEdge = (start: number, kind: EdgeKindName, end: number, flags?: number) => void;

function addEdges(plans: readonly Plan[], random: () => number, add: AddEdge): void {
  const places = new Map<NodeKindName, number[]>();
  plans.forEach(({ kind }, at) => {
    const known = places.get(kind);
    if (known === undefined) places.set(kind, [at]);
    else known.push(at);
  });
  const all = (kind: NodeKindName): readonly number[] => places.get(kind) ?? [];
  const any = (kind: NodeKindName): number => all(kind)[Math.floor(random() * all(kind).length)];
  // Few groups have most of the members and rights.
  const group = (): number => {
    const own = all('Group').length - FIRST_OWN_GROUP;
    return all('Group')[FIRST_OWN_GROUP + Math.floor(random() ** 3 * own)];
  };
  const chance = (share: number): boolean => random() < share;

  addMembers();
  addPlaces();
  addRights();
  addLogons();
  addCertificateServices();
  add(1, 'CrossForestTrust', 0);
  for (const holder of [ADMINS, ADMINISTRATORS]) add(holder, 'DCSync', 0, EdgeFlag.Derived);

  function addMembers(): void {
    for (const user of all('User')) {
      if (plans[user].environment === DOMAIN) add(user, 'MemberOf', USERS, EdgeFlag.PrimaryGroup);
      add(user, 'MemberOf', group());
    }
    for (const computer of all('Computer')) add(computer, 'MemberOf', COMPUTERS, EdgeFlag.PrimaryGroup);
    all('Group')
      .slice(FIRST_OWN_GROUP + 1)
      .forEach((member, at) => {
        // Only into one of the groups before it, so there are no cycles.
        const upper = FIRST_OWN_GROUP + Math.floor(random() ** 2 * (at + 1));
        if (chance(0.5)) add(member, 'MemberOf', all('Group')[upper]);
      });
    for (let at = 0; at < 20; at++) add(all('User')[at], 'MemberOf', ADMINS);
    for (const inner of [ADMINS, ENTERPRISE_ADMINS]) add(inner, 'MemberOf', ADMINISTRATORS);
  }

  function addPlaces(): void {
    all('OU').forEach((unit, at) => {
      // A tree with ten children per node.
      add(at === 0 ? 0 : all('OU')[Math.floor((at - 1) / 10)], 'Contains', unit);
    });
    for (const policy of all('GPO')) add(policy, 'GPLink', any('OU'), chance(0.1) ? EdgeFlag.Enforced : 0);
    add(all('GPO')[0], 'GPLink', 0);
    for (const kind of ['User', 'Computer', 'Group', 'Container'] as const) {
      for (const object of all(kind)) {
        if (plans[object].environment === DOMAIN) add(any('OU'), 'Contains', object);
      }
    }
  }

  /** Adds the rights on every object of a directory, and one right of some group. */
  function addRights(): void {
    const given = EdgeFlag.HasAcl | EdgeFlag.Acl;
    const inherited = given | EdgeFlag.Inherited;
    plans.forEach(({ environment }, object) => {
      if (environment !== DOMAIN) return;
      add(ADMINS, 'GenericAll', object, inherited);
      add(ENTERPRISE_ADMINS, 'GenericAll', object, inherited);
      add(ADMINISTRATORS, 'WriteDacl', object, inherited);
      add(ADMINISTRATORS, 'WriteOwner', object, inherited);
      add(ADMINS, 'Owns', object, given);
      add(group(), chance(0.5) ? 'GenericWrite' : 'AddKeyCredentialLink', object, given);
    });
  }

  function addLogons(): void {
    for (const computer of all('Computer')) {
      add(ADMINS, 'AdminTo', computer, EdgeFlag.Derived);
      add(group(), 'AdminTo', computer, EdgeFlag.Derived);
      add(group(), 'CanRDP', computer, EdgeFlag.Derived);
      if (chance(0.5)) add(computer, 'HasSession', any('User'));
      if (chance(0.01)) add(computer, 'AllowedToDelegate', any('Computer'));
    }
  }

  function addCertificateServices(): void {
    const [authority] = all('EnterpriseCA');
    for (const template of all('CertTemplate')) {
      add(template, 'PublishedTo', any('EnterpriseCA'));
      if (chance(0.2)) add(USERS, 'Enroll', template, EdgeFlag.HasAcl | EdgeFlag.Acl);
    }
    add(authority, 'TrustedForNTAuth', any('NTAuthStore'));
    add(authority, 'IssuedSignedBy', any('RootCA'));
    add(any('RootCA'), 'RootCAFor', 0);
    add(any('CertTemplate'), 'ExtendedByPolicy', any('IssuancePolicy'));
  }
}

function describeGraph(graph: AttackGraph): DirectoryGraph {
  const domain = findNode(graph, DOMAIN);
  const nodesOf = (kind: NodeKindName): readonly number[] =>
    [...Array(graph.nodeCount).keys()].filter((node) => hasKind(graph, node, NodeKind[kind]));
  const noCounts = { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 };
  return {
    generation: {
      id: 1,
      publishedAt: '2026-01-01T00:00:00.000000Z',
      graph,
      marks: noMarks(graph.nodeCount),
      environments: [
        { id: DOMAIN, name: 'CORP.LOCAL', type: 'active-directory', node: domain, collected: true },
        {
          id: PARTNER,
          name: 'PARTNER.LOCAL',
          type: 'active-directory',
          node: findNode(graph, PARTNER),
          collected: true,
        },
      ],
      collected: noCounts,
      derived: noCounts,
      customNodeKinds: new Map(),
      customEdgeKinds: new Map(),
    },
    nodesOf,
    userCount: nodesOf('User').filter((node) => graph.environmentOf[node] === domain).length,
    domain,
    domainUsers: findNode(graph, `${DOMAIN}-513`),
  };
}
