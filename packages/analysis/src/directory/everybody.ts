/**
 * Adds members of Authenticated Users that have no collected membership: principals of the domain whose primary group is neither Domain
 * Users nor Domain Computers, and everybody of the domains that it admits: domains of its forest, and domains that it trusts. With these
 * relations every finding gives the group the same exposure.
 *
 * Authenticated Users of other domains claim the group (`ClaimSpecialIdentity`) instead of being members: a claim that Windows makes at
 * every sign-in over a trust would otherwise be listed with cross-domain memberships made by administrators.
 *
 * Rule: `docs/rules.md#well-known-groups`.
 */
import { encodeText, NO_NODE, NodeSet, reachableNodes, textEndsWith } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import { domains } from './domains.ts';
import { specialGroups } from './specialGroups.ts';

export interface Membership {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
  readonly flags: number;
}

export const EVERYBODY_READS: Reads = {
  edges: ['MemberOf', 'CrossForestTrust'],
  edgeProperties: { CrossForestTrust: ['trusttype'] },
  shared: [domains, specialGroups],
};

/** Guests log on as Guest, which Windows does not count as an authenticated user. */
const GUEST = '-501';

/** @param facts context of the collected graph with its well-known groups @returns missing memberships and claims */
export function membershipsOfEverybody(facts: AnalysisContext): Membership[] {
  const context = facts.readingFor('everybody', EVERYBODY_READS);
  const groups = authenticatedUsers(context);
  return [...groups].flatMap(([domain, group]) => [
    ...ownPrincipals(context, domain, group),
    ...[...letIn(context, domain)].flatMap((other) => {
      const theirs = groups.get(other);
      return theirs === undefined || theirs === group ? [] : [claim(theirs, group)];
    }),
  ]);
}

const membership = (start: number, end: number): Membership => ({
  ...{ start, kind: EdgeKind.MemberOf, end, flags: EdgeFlag.Derived },
});

const claim = (start: number, end: number): Membership => ({
  ...{ start, kind: EdgeKind.ClaimSpecialIdentity, end, flags: EdgeFlag.Derived },
});

/** Authenticated Users, keyed by domain. */
function authenticatedUsers(context: AnalysisContext): Map<number, number> {
  const known = context.use(domains);
  const { authenticatedUsersOf } = context.use(specialGroups);
  const found = new Map<number, number>();
  known.collected.forEach((domain) => {
    const group = authenticatedUsersOf(known.sidOf(domain));
    if (group !== NO_NODE) found.set(domain, group);
  });
  return found;
}

/** Principals of the domain that are not members through any group. */
function ownPrincipals(context: AnalysisContext, domain: number, group: number): Membership[] {
  const { graph } = context;
  const guest = encodeText(GUEST);
  const { filter } = context.edges('MemberOf');
  const members = reachableNodes(graph, [group], { direction: 'in', filter, cancel: context.cancel });
  const principals = context.nodesOf('User').or(context.nodesOf('Computer')).andNot(members);
  const missing = principals.filter(
    (node) => graph.environmentOf[node] === domain && !textEndsWith(graph.objectIds, node, guest),
  );
  return Array.from(missing, (node) => membership(node, group));
}

/** Domains whose principals can log on in the domain, including itself. An external trust ends at its domain. */
function letIn(context: AnalysisContext, domain: number): NodeSet {
  const known = context.use(domains);
  let found = known.forestOf(domain);
  for (const trusting of known.forestOf(domain)) {
    context.edges('CrossForestTrust').outOf(trusting, (trusted, kind) => {
      const type = context.edgeProperties.get(trusting, kind, trusted)?.trusttype;
      if (type === 'Forest') found = found.or(known.forestOf(trusted));
      else if (trusting === domain) found = found.or(NodeSet.of(context.graph.nodeCount, [trusted]));
    });
  }
  return found;
}
