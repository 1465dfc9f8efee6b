/** Helpers and rights shared by several findings of this folder. */
import { NodeSet, reachableNodes } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import { isAdminSdHolder } from '../../../../directory/adminSdHolder.ts';
import { domains } from '../../../../directory/domains.ts';
import { domainSidOf } from '../../../environments.ts';
import type { FindingFacts } from '../../../findingFacts.ts';

/** Each gives control of the object in whose access list it is. */
export const CONTROL_RIGHTS = [
  'GenericAll',
  'GenericWrite',
  'WriteDacl',
  'WriteOwner',
  'Owns',
  'AllExtendedRights',
] as const satisfies readonly EdgeKindName[];

export function directMembers(facts: FindingFacts, group: number): NodeSet {
  return facts.edges('MemberOf').startsOf(group).without(group);
}

export function notEmpty(facts: FindingFacts, groups: NodeSet): NodeSet {
  return groups.filter((group) => !directMembers(facts, group).isEmpty);
}

export function membersAtAnyDepth(facts: FindingFacts, group: number): NodeSet {
  const { graph, cancel } = facts.context;
  const { filter } = facts.edges('MemberOf');
  return reachableNodes(graph, [group], { direction: 'in', filter, cancel }).without(group);
}

export function accountsWithHistory(facts: FindingFacts, test: (sid: string) => boolean): NodeSet {
  const isHistory = (value: unknown): boolean => typeof value === 'string' && value !== '' && test(value);
  return facts
    .where('sidhistory', (value) => (Array.isArray(value) ? value.some(isHistory) : isHistory(value)))
    .and(facts.users.or(facts.computers).or(facts.groups));
}

/** Domains that issued the SID history entries of an account. */
export function formerDomainsOf(facts: FindingFacts, account: number): string[] {
  const listed = facts.texts('sidhistory', account);
  const sids = listed.length > 0 ? listed : [facts.text('sidhistory', account)];
  return sids.map((sid) => domainSidOf(sid.toUpperCase())).filter((sid) => sid !== undefined);
}

/** @returns SID of the account's own domain; undefined if unknown */
export function domainSid(facts: FindingFacts, account: number): string | undefined {
  const domain = facts.domainOf(account);
  return domain === undefined ? undefined : facts.context.use(domains).sidOf(domain).toUpperCase();
}

/** The containers whose access lists SDProp copies to protected accounts, one per domain. */
export const adminSdHolders = (facts: FindingFacts): NodeSet =>
  facts.of('Container').filter((node) => isAdminSdHolder(facts.text('distinguishedname', node)));

export const serversOfSynchronization = (facts: FindingFacts): NodeSet =>
  NodeSet.of(
    facts.context.graph.nodeCount,
    [...facts.synchronizationServers().keys()].sort((a, b) => a - b),
  );
