/**
 * Groups whose members Windows determines at logon, so that the graph does not contain them all: Everyone and Authenticated Users of any
 * domain. Everybody has their rights.
 *
 * Rule: `docs/rules.md#which-principal-gets-an-edge-that-needs-several-rights` and `docs/rules.md#certificate-services`.
 */
import { encodeText, NO_NODE, NodeSet, textEndsWith } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { membership } from './membership.ts';

const AUTHENTICATED_USERS = '-S-1-5-11';
const EVERYONE = '-S-1-1-0';

export interface SpecialGroupNodes {
  readonly all: NodeSet;
  /** @returns the Authenticated Users group of the domain with this SID, or `NO_NODE` */
  authenticatedUsersOf(domainSid: string | undefined): number;
}

export interface SpecialGroups extends SpecialGroupNodes {
  /** Groups that directly or indirectly contain a special group, and the special groups themselves. */
  readonly universal: NodeSet;
  /** Groups with a special group as direct member, and the special groups themselves. */
  readonly directlyUniversal: NodeSet;
}

/** The group nodes, which do not depend on memberships. */
export const specialGroupNodes: Shared<SpecialGroupNodes> = {
  name: 'nodes of special groups',
  reads: { nodeProperties: ['domainsid'] },
  build: (context) => {
    const authenticatedUsers = firstByDomain(context, groupsWithSuffix(context, AUTHENTICATED_USERS));
    return {
      all: groupsWithSuffix(context, AUTHENTICATED_USERS, EVERYONE),
      authenticatedUsersOf: (sid) => (sid === undefined ? NO_NODE : (authenticatedUsers.get(sid) ?? NO_NODE)),
    };
  },
};

export const specialGroups: Shared<SpecialGroups> = {
  name: 'special groups',
  reads: { shared: [membership, specialGroupNodes] },
  build: (context) => {
    const members = context.use(membership);
    const { all, authenticatedUsersOf } = context.use(specialGroupNodes);
    const direct = [...all].flatMap((group) => members.directContainersOf(group));
    return {
      all,
      universal: members.containersOf(all).and(members.groups),
      directlyUniversal: NodeSet.of(all.capacity, direct).and(context.nodesOf('Group')).or(all),
      authenticatedUsersOf,
    };
  },
};

/** @returns nodes of kind Group whose object id ends with one of the suffixes */
export function groupsWithSuffix(context: AnalysisContext, ...suffixes: readonly string[]): NodeSet {
  const endings = suffixes.map(encodeText);
  const { objectIds } = context.graph;
  return context.nodesOf('Group').filter((node) => endings.some((end) => textEndsWith(objectIds, node, end)));
}

/** @returns the first node for each value of `domainsid` */
export function firstByDomain(context: AnalysisContext, nodes: NodeSet): Map<string, number> {
  const found = new Map<string, number>();
  nodes.forEach((node) => {
    const sid = context.properties.text('domainsid', node);
    if (sid !== undefined && !found.has(sid)) found.set(sid, node);
  });
  return found;
}
