/**
 * Small random directories with all features that ways need: nested groups, local groups, sessions, permissions, certificate
 * services, controllers that do not sign, two forests.
 */
import { AnalysisContext, type AnalysisInput, analyze, type EdgeRef, Oid, RULES } from '@clew/analysis';
import { inputOf, maybe, Pki, SAN_FLAG, someFacts, TEMPLATE } from '@clew/analysis/testing';
import { EdgeList, type JsonObject, NodeSet, withEdges } from '@clew/graph';
import type { TestGraph } from '@clew/graph/testing';
import { EdgeFlag, type EdgeKindName } from '@clew/model';
import fc from 'fast-check';
import { addPolicyUnit } from '../src/repairs/policyMembers.ts';
import { type AnalyzedWorld, worldOf } from '../src/simulation/simulate.ts';

const SIDS = ['S-1-5-21-1', 'S-1-5-21-2'] as const;
const USERS = ['u1', 'u2', 'u3', 'u4', 'v1', 'v2'] as const;
const COMPUTERS = ['c1', 'c2', 'c3', 'H'] as const;
const GROUPS = ['A', 'B', 'P', 'AU', 'EV', 'DU', 'DC', 'AU2'] as const;
/** Members of Tier Zero in addition to the domains and their controllers. */
const ADMINS = ['DA', 'adm', 'vadm'] as const;
const TEMPLATES = ['T', 'T2'] as const;
const LOCAL = ['544', '555', '562', '580'] as const;
const PLACES = ['OU1', 'GPO1'] as const;

const mostly = <Value>(value: Value, ...others: Value[]) =>
  fc.oneof(
    { arbitrary: fc.constant(value), weight: 3 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  );

const PRINCIPALS = [...USERS, ...COMPUTERS, ...GROUPS];
const RIGHTS: readonly EdgeKindName[] = [
  'GenericAll',
  'WriteDacl',
  'GenericWrite',
  'ForceChangePassword',
  'OwnsRaw',
  'WriteOwnerRaw',
];
const REPLICATION: readonly EdgeKindName[] = ['GetChanges', 'GetChangesAll', 'GetChangesInFilteredSet'];

const facts = fc
  .tuple(
    someFacts([...USERS, ...COMPUTERS, 'A', 'B'], ['in'], ['A', 'B', 'P'], 7),
    someFacts(PRINCIPALS, RIGHTS, [...USERS, ...COMPUTERS, 'A', 'B', 'P', ...PLACES], 5),
    someFacts(PRINCIPALS, RIGHTS, [...ADMINS, 'D', 'D2'], 1),
    someFacts(['u1', 'A', 'B', 'P'], REPLICATION, ['D', 'D2'], 4),
    someFacts(COMPUTERS, ['HasSession'], [...USERS, ...ADMINS], 5),
    someFacts(
      PRINCIPALS,
      ['MemberOfLocalGroup'],
      COMPUTERS.flatMap((host) => LOCAL.map((end) => `${host}-${end}`)),
      6,
    ),
    someFacts([...USERS, 'A', 'DU'], ['RemoteInteractiveLogonRight'], COMPUTERS, 3),
    someFacts(PRINCIPALS, ['en', 'en', 'GenericAll', 'WritePKINameFlag'], TEMPLATES, 5),
    someFacts(PRINCIPALS, ['en', 'en', 'GenericAll'], ['C'], 3),
    someFacts(['c1', 'c2'], ['AllowedToDelegate', 'CoerceToTGT'], ['K', 'D'], 1),
    someFacts(['D'], ['Contains'], ['OU1', 'u1'], 2),
    someFacts(['OU1'], ['Contains'], [...USERS, ...COMPUTERS, 'A'], 3),
    someFacts(['GPO1'], ['GPLink'], ['OU1', 'D'], 1),
    maybe(50).map((yes) => (yes ? ['T2 PublishedTo C'] : [])),
    fc.constantFrom([], ['D2 SameForestTrust D'], ['D SameForestTrust D2', 'D2 SameForestTrust D']),
    maybe(30).map((yes) => (yes ? ['B GetChanges D', 'B GetChangesInFilteredSet D'] : [])),
    maybe(60).map((yes) => (yes ? ['P GenericWrite u1', 'A en T', 'AU en C'] : [])),
  )
  .map((parts) => [...new Set(parts.flat())]);

const template = fc.record({
  effectiveekus: mostly([Oid.clientAuthentication], [Oid.anyPurpose], [Oid.certificateRequestAgent]),
  enrolleesuppliessubject: mostly(false, true),
  nosecurityextension: fc.boolean(),
  requiresmanagerapproval: mostly(false, true),
  subjectaltrequireupn: fc.boolean(),
  subjectaltrequiredns: mostly(false, true),
  schemaversion: mostly(2, 1),
});

/** A policy of a unit or the domain adds a principal to a local group of some computers; several policies may do so. */
const policy = fc.record({
  unit: fc.constantFrom('OU1', 'OU2', 'D'),
  member: fc.constantFrom(...PRINCIPALS),
  relativeId: fc.constantFrom(...LOCAL),
  hosts: fc.uniqueArray(fc.constantFrom(...COMPUTERS), { minLength: 1 }),
});

export const randomDirectories = fc.record({
  facts,
  policies: fc.array(policy, { maxLength: 3 }),
  templates: fc.tuple(template, template),
  sanFlag: maybe(20),
  web: maybe(30),
  ldap: maybe(35),
  ldaps: maybe(35),
  signing: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  binding: mostly(2, 1, 0),
  mapping: mostly(24, 4, 31),
  hasura: fc.boolean(),
  /** Whether all users may join computers to the first domain. */
  quota: maybe(40),
});

export type RandomDirectory = typeof randomDirectories extends fc.Arbitrary<infer Value> ? Value : never;

const LONG_IDS: Readonly<Record<string, string>> = {
  ...{ D: SIDS[0], D2: SIDS[1], DU: `${SIDS[0]}-513`, DC: `${SIDS[0]}-515` },
  ...{ AU: 'CORP.LOCAL-S-1-5-11', EV: 'CORP.LOCAL-S-1-1-0', AU2: 'OTHER.LOCAL-S-1-5-11' },
};
const idOf = (name: string): string => LONG_IDS[name] ?? name;

/** Adds parts that most tests do not need. */
export type Extend = (pki: Pki) => void;

/** Builds the collected directory. */
export function directoryOf(spec: RandomDirectory, extend: Extend = () => {}): TestGraph {
  const pki = pkiOf(spec);
  extend(pki);
  const test = pki.build();
  for (const { unit, member, relativeId, hosts } of spec.policies)
    for (const host of hosts) {
      const ends = [test.node(idOf(member)), test.node(`${host}-${relativeId}`)] as const;
      addPolicyUnit(test.edgeProperties, ...ends, idOf(unit));
    }
  return test;
}

/** Builds the directory with derived edges; Tier Zero contains the domains, their controllers and `ADMINS`. */
export function randomWorld(spec: RandomDirectory, extend?: Extend): AnalyzedWorld {
  const test = directoryOf(spec, extend);
  const input: AnalysisInput = inputOf(test);
  const { edges, perRule } = analyze(new AnalysisContext(input), RULES);
  const failed = perRule.find(({ status }) => status === 'failed');
  if (failed !== undefined) throw failed.error;
  const list = new EdgeList();
  list.appendChunk(edges);
  const context = new AnalysisContext({ ...input, graph: withEdges(test.graph, list) });
  const members = NodeSet.of(
    test.graph.nodeCount,
    [...ADMINS, 'D', 'D2', 'K', 'K2'].map((name) => test.node(idOf(name))),
  );
  const pending = NodeSet.empty(test.graph.nodeCount);
  const zone = { id: 1, position: 1, analyzed: true, members, pending };
  return worldOf(context, { zonesOf: () => [zone], now: 1_767_225_600 });
}

function pkiOf(spec: RandomDirectory): Pki {
  const pki = new Pki().otherForest().set('D2', { collected: true, functionallevel: '2016' });
  pki
    .set('D', { netbios: 'D', machineaccountquota: spec.quota ? 10 : 0 })
    .add('TRUST', 'User', { samaccountname: 'D$', domainsid: SIDS[1] });
  pki.add('AU2', 'Group', { domainsid: SIDS[1] }).add('OU1', 'OU', IN_D).add('GPO1', 'GPO', IN_D);
  for (const name of [...USERS, ...ADMINS])
    pki.add(name, name === 'DA' ? 'Group' : 'User', {
      domainsid: SIDS[name.startsWith('v') ? 1 : 0],
      ...{ enabled: true, isaclprotected: false },
    });
  for (const [at, name] of COMPUTERS.entries()) {
    const props = {
      ...IN_D,
      enabled: true,
      restrictoutboundntlm: false,
      hasura: spec.hasura,
      haslaps: spec.hasura,
    };
    pki.add(name, 'Computer', { ...props, smbsigning: spec.signing[at] ?? true, webclientrunning: spec.web });
    for (const end of LOCAL)
      pki.add(`${name}-${end}`, 'ADLocalGroup', IN_D).facts(`${name}-${end} LocalToComputer ${name}`);
  }
  // Directory synchronization runs on a computer that other principals may administer.
  pki.add('msol', 'User', {
    ...IN_D,
    name: 'MSOL_0@D',
    description: 'running on computer c2 configured',
    enabled: true,
  });
  pki.facts('msol in DU').set('c2', { name: 'c2' });
  for (const name of USERS) pki.facts(`${name} in ${name.startsWith('v') ? 'AU2' : 'DU'}`);
  for (const name of COMPUTERS) pki.facts(`${name} in DC`);
  pki.add('T2', 'CertTemplate', TEMPLATE).facts('adm in DA', 'DA GenericAll D', 'vadm GenericAll D2');
  for (const [at, props] of spec.templates.entries()) pki.set(TEMPLATES[at], props);
  pki.set('C', { ...(spec.sanFlag ? SAN_FLAG : {}), hasvulnerableendpoint: spec.web });
  const controller: JsonObject = {
    ...{ enabled: true, isdc: true, ldapavailable: true, ldapsavailable: true, restrictoutboundntlm: false },
    ...{ ldapsigning: !spec.ldap, ldapsepa: !spec.ldaps, smbsigning: true },
    ...{ strongcertificatebindingenforcementraw: spec.binding, certificatemappingmethodsraw: spec.mapping },
  };
  pki.controller('K', 'D', controller).controller('K2', 'D2', controller);
  pki.add('OU2', 'OU', IN_D);
  for (const { member, relativeId, hosts } of spec.policies)
    for (const host of hosts) pki.facts(`${member} MemberOfLocalGroup ${host}-${relativeId}`);
  return pki.fixed('AU', 'EV', 'DU', 'DC', 'AU2').facts(...spec.facts);
}

const IN_D: JsonObject = { domainsid: SIDS[0] };

/** Relationships that were not derived by a rule. */
export function collectedEdges({ graph }: AnalysisContext): EdgeRef[] {
  const { out, nodeCount } = graph;
  const edges: EdgeRef[] = [];
  for (let start = 0; start < nodeCount; start++)
    for (let at = out.offsets[start]; at < out.offsets[start + 1]; at++)
      if ((out.flags[at] & EdgeFlag.Derived) === 0)
        edges.push({ start, kind: out.kinds[at], end: out.neighbors[at] });
  return edges;
}
