/**
 * The sets that can hold a relationship: the parts of objects that a collector enumerates at a time.
 *
 *   relationship -> the aspects of its ends, or of other objects that report it, such as the units of a policy
 *
 * Rule: `docs/plan.md#evidence`.
 */
import { type AttackGraph, findNode, NO_NODE, nameOf, nodesOfKind, objectIdOf } from '@clew/graph';
import { Aspect, type AspectName, EdgeFlag, EdgeKind, edgeKindByName, NodeKind } from '@clew/model';
import { authoritiesOf, neighborsOf } from '../tasks/reporters.ts';
import type { ChangeFacts } from '../tasks/startedFacts.ts';

export type Relation = ChangeFacts['removed'][number];

export interface FactSet {
  readonly owner: string;
  readonly aspect: number;
  /** Objects whose enumeration includes the set: it has no date of its own while it is empty. */
  readonly enumeratedBy: readonly string[];
}

export interface FactSets {
  readonly sets: readonly FactSet[];
  /** Objects whose descriptions count like an enumeration. */
  readonly described: readonly string[];
}

/** The end of a relationship that has it in an aspect. */
type Holder = readonly ['start' | 'end', AspectName];

const ACCESS_LIST: readonly Holder[] = [['end', 'acl']];
const OF_SERVICE: readonly Holder[] = [
  ['end', 'acl'],
  ['end', 'ca-acl'],
];
const PRIMARY_GROUP: readonly Holder[] = [['start', 'primary-group']];
const TRUSTS: readonly Holder[] = [
  ['start', 'trusts'],
  ['end', 'trusts'],
];

/** Kinds of relationships that are not only in the access list of their end. */
const HOLDERS: Readonly<Record<string, readonly Holder[]>> = {
  MemberOf: [['end', 'members']],
  MemberOfLocalGroup: [['end', 'local-groups']],
  LocalToComputer: [['end', 'local-groups']],
  RemoteInteractiveLogonRight: [['end', 'user-rights']],
  AllowedToDelegate: [['start', 'delegation']],
  AllowedToAct: [['end', 'allowed-to-act']],
  HasSIDHistory: [['start', 'sid-history']],
  DumpSMSAPassword: [['start', 'smsa-passwords']],
  SQLAdmin: [['start', 'spn-targets']],
  CoerceToTGT: [['start', 'domain-role']],
  DCFor: [['start', 'domain-role']],
  SameForestTrust: TRUSTS,
  CrossForestTrust: TRUSTS,
  AbuseTGTDelegation: TRUSTS,
  SpoofSIDHistory: TRUSTS,
  GPLink: [['end', 'gp-links']],
  Contains: [
    ['end', 'contained-by'],
    ['start', 'child-objects'],
  ],
  HostsCAService: [['end', 'ca-service']],
  PublishedTo: [['end', 'published-templates']],
  RootCAFor: [['start', 'pki-domain']],
  NTAuthStoreFor: [['start', 'pki-domain']],
  OIDGroupLink: [['start', 'group-link']],
  ManageCA: OF_SERVICE,
  ManageCertificates: OF_SERVICE,
  Enroll: OF_SERVICE,
  // Authorities report these.
  DelegatedEnrollmentAgent: [],
  // Sessions are samples.
  HasSession: [],
};

/** Aspects in which objects other than the ends report a relationship. */
const REPORTED_IN: Readonly<Record<string, AspectName>> = {
  MemberOfLocalGroup: 'gpo-changes',
  DelegatedEnrollmentAgent: 'enrollment-agents',
};

/** The aspects of objects in Azure and Entra ID. */
const AZURE = Object.entries(Aspect).flatMap(([name, id]) => (name.startsWith('az-') ? [id] : []));

/** @returns no sets for samples, and for relationships that no collector enumerates */
export function factSets(graph: AttackGraph, relation: Relation, change: ChangeFacts): FactSets {
  const { start, kind: name, end } = relation;
  const kind = edgeKindByName(name);
  if (kind === undefined || relation.is_sample === true) return { sets: [], described: [] };
  // Collectors of Entra ID enumerate all aspects of an object in each run.
  if (kind.platform === 'azure')
    return { sets: AZURE.map((aspect) => ({ owner: end, aspect, enumeratedBy: [] })), described: [end] };
  if (kind.origin === 'derived') return { sets: [], described: [start, end] };
  const reportedIn = REPORTED_IN[name];
  const sets: FactSet[] = holdersOf(relation).map(([side, aspect]) => ({
    ...{ owner: relation[side], aspect: Aspect[aspect] },
    enumeratedBy: aspect === 'local-groups' ? hostsOf(graph, relation[side]) : [],
  }));
  if (reportedIn !== undefined)
    for (const owner of change.reporters ?? likelyReporters(graph, relation, change))
      sets.push({ owner, aspect: Aspect[reportedIn], enumeratedBy: [] });
  return { sets, described: [] };
}

const holdersOf = ({ kind, flags }: Relation): readonly Holder[] =>
  kind === 'MemberOf' && (flags & EdgeFlag.PrimaryGroup) !== 0
    ? PRIMARY_GROUP
    : (HOLDERS[kind] ?? ACCESS_LIST);

/** The id of a computer, and the relative id of a local group. */
const OF_COMPUTER = /^(S-1-5-21-\d+-\d+-\d+-\d+)-\d+$/;
/** The name or id of a domain, and the id of a group that its controllers share. */
const OF_CONTROLLERS = /^(.+)-S-1-5-32-\d+$/;

/** @returns ids of the computers that have the local group; none if the object is the computer */
function hostsOf(graph: AttackGraph, group: string): string[] {
  const computer = OF_COMPUTER.exec(group)?.[1];
  if (computer !== undefined) return [computer];
  const domain = OF_CONTROLLERS.exec(group)?.[1];
  return domain === undefined ? [] : controllersOf(graph, domain);
}

/** @param domain its name or id */
function controllersOf(graph: AttackGraph, domain: string): string[] {
  const byId = findNode(graph, domain);
  const nodes =
    byId === NO_NODE
      ? [...nodesOfKind(graph, NodeKind.Domain)].filter((node) => nameOf(graph, node) === domain)
      : [byId];
  return nodes.flatMap((node) =>
    neighborsOf(graph.in, node, EdgeKind.DCFor).map((one) => objectIdOf(graph, one)),
  );
}

/** For plans of earlier releases, which do not store the objects that reported a relationship. */
function likelyReporters(graph: AttackGraph, { kind, end }: Relation, { title }: ChangeFacts): string[] {
  const ofAgents = kind === 'DelegatedEnrollmentAgent';
  if (!ofAgents && !OF_POLICY.test(title)) return [];
  const node = findNode(graph, ofAgents ? end : (OF_COMPUTER.exec(end)?.[1] ?? ''));
  if (node === NO_NODE) return [];
  const reporters = ofAgents ? authoritiesOf(graph, node) : containersOf(graph, node);
  return reporters.map((one) => objectIdOf(graph, one));
}

/** Title of a change of a group policy. */
const OF_POLICY = /^Remove .+ in the group policy of ./;

/** @returns the units and domains above an object */
function containersOf(graph: AttackGraph, object: number): number[] {
  const above = new Set<number>();
  const left = [object];
  for (let node = left.pop(); node !== undefined; node = left.pop())
    for (const container of neighborsOf(graph.in, node, EdgeKind.Contains)) {
      if (above.has(container)) continue;
      above.add(container);
      left.push(container);
    }
  return [...above];
}
