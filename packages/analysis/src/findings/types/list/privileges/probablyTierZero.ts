import { NodeSet, objectIdOf } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import { synchronizationServers } from '../../../../directory/synchronization.ts';
import type { EdgeRef } from '../../../../edgeRef.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { serversOfSynchronization } from './common.ts';

/** A group with more users is not a team of administrators: its rights are a weakness with separate findings. */
const MAX_ADMINISTRATORS = 50;

/** Kinds of edges that give control of an object. */
const CONTROL: readonly EdgeKindName[] = [
  ...(['DCSync', 'GenericAll', 'GenericWrite', 'WriteDacl', 'WriteOwner', 'Owns', 'AddMember'] as const),
  ...(['AllExtendedRights', 'ForceChangePassword', 'AddKeyCredentialLink'] as const),
  ...(['WriteAltSecurityIdentities', 'WritePublicInformation'] as const),
];

const EXCHANGE =
  /^(EXCHANGE WINDOWS PERMISSIONS|EXCHANGE TRUSTED SUBSYSTEM|EXCHANGE SERVERS|ORGANIZATION MANAGEMENT)@/i;

export const probablyTierZero = {
  kind: 'list',
  id: 'ProbablyTierZero',
  title: 'Probably Tier Zero: Add to the Zone or Remove Its Rights',
  ...classed({ platform: 'ad', category: 'TZ', scope: 'tier-zero', nature: 'opening', floor: 'moderate' }),
  isOverTierZero: true,
  family: zoneMembership,
  remedy: {
    risk: 'Because of its function, anyone who controls the object controls Tier Zero. The object is outside the zone and therefore not protected like the rest of Tier Zero.',
    fix: 'Add the object to Tier Zero and protect it like the rest, or remove its rights over Tier Zero.',
    steps: [
      'Find out who uses the object, and for what.',
      'If the object is needed, add it to Tier Zero with a selector, and certify it.',
      'If it is not needed, remove its rights over domain controllers, CAs, synchronization servers and other Tier Zero objects.',
    ],
    verify: ['The object is a member of Tier Zero, or the relationships in this finding are removed.'],
    care: 'The replication rights of a connector account are needed for password hash synchronization: add the account to the zone instead of removing the rights.',
  },
  what: 'The object runs directory synchronization, or administers its servers, domain controllers, CAs or Exchange. Therefore it controls Tier Zero, but does not belong to it.',
  needs: [],
  reads: {
    edges: ['AdminTo', 'HostsCAService', 'ManageCA', 'TrustedForNTAuth', ...CONTROL],
    shared: [synchronizationServers],
  },
  find: (facts) =>
    administrators(facts)
      .or(byTask(facts))
      .or(serversOfSynchronization(facts))
      .andNot(facts.tierZero)
      // No one administers as Guest: its rights are a weakness.
      .andNot(facts.withSuffix(facts.users, '-501'))
      .filter((node) => !isBroad(facts, node)),
  usedBy: ({ context }, object) => NodeSet.of(context.graph.nodeCount, [object]),
} as const satisfies ListFindingType;

/**
 * Finds the administrators of controllers, synchronization servers and hosts of authorities whose certificates allow logon, and those
 * authorities.
 */
function administrators(facts: FindingFacts): NodeSet {
  const of = administered(facts);
  const found = facts
    .edges('AdminTo')
    .startsOfAny(of.hosts)
    .or(facts.edges('ManageCA').startsOfAny(of.authorities));
  return found.filter((node) => administrationBy(facts, node, of).length > 0);
}

interface Administered {
  readonly authorities: NodeSet;
  readonly caHosts: NodeSet;
  /** Controllers, and hosts of authorities and of synchronization. */
  readonly hosts: NodeSet;
}

function administered(facts: FindingFacts): Administered {
  const authorities = facts.edges('TrustedForNTAuth').startsOfAny(facts.of('NTAuthStore'));
  const caHosts = facts.edges('HostsCAService').startsOfAny(authorities);
  return { authorities, caHosts, hosts: facts.controllers.or(caHosts).or(serversOfSynchronization(facts)) };
}

/** @returns the administration because of which the object probably belongs to Tier Zero */
function administrationBy(
  facts: FindingFacts,
  node: number,
  { hosts, authorities, caHosts }: Administered,
): EdgeRef[] {
  const { graph } = facts.context;
  const isOf = (host: number): boolean => objectIdOf(graph, node).startsWith(`${objectIdOf(graph, host)}-`);
  const found: EdgeRef[] = [];
  facts.edges('AdminTo').outOf(node, (host, kind) => {
    // A computer's own accounts do not administer other computers.
    if (hosts.has(host) && !isOf(host)) found.push({ start: node, kind, end: host });
  });
  if (![...caHosts].some(isOf))
    facts.edges('ManageCA').outOf(node, (authority, kind) => {
      if (authorities.has(authority)) found.push({ start: node, kind, end: authority });
    });
  return found;
}

/** @returns the relations because of which the object probably belongs to Tier Zero; a server of synchronization does so without any */
export function relationsOverTierZero(facts: FindingFacts, node: number): EdgeRef[] {
  const found = administrationBy(facts, node, administered(facts));
  if (!holdersByTask(facts).has(node)) return found;
  facts.edges(...CONTROL).outOf(node, (end, kind) => {
    if (facts.tierZero.has(end)) found.push({ start: node, kind, end });
  });
  return found;
}

const holdersByTask = (facts: FindingFacts): NodeSet =>
  facts.connectorAccounts().or(facts.groups.filter((group) => EXCHANGE.test(facts.name(group))));

/** Connector accounts and Exchange groups that control something in Tier Zero. */
function byTask(facts: FindingFacts): NodeSet {
  const rights = facts.edges(...CONTROL);
  return holdersByTask(facts).filter((node) => rights.endsOf(node).intersects(facts.tierZero));
}

function isBroad(facts: FindingFacts, node: number): boolean {
  if (!facts.groups.has(node)) return false;
  if (facts.isEverybody(node)) return true;
  const members = facts.membersOf(NodeSet.of(facts.context.graph.nodeCount, [node]));
  return members.and(facts.users).size > MAX_ADMINISTRATORS;
}
