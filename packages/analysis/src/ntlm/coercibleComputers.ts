/**
 * Computers whose machine account can be coerced to authenticate over NTLM to an attacker's host.
 *
 * Rule: `docs/rules.md#coerceandrelayntlmtosmb` (coercible set V), `docs/rules.md#coerceandrelayntlmtoadcs`.
 */
import { NO_NODE, NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { membership } from '../directory/membership.ts';
import { firstByDomain, groupsWithSuffix, specialGroupNodes } from '../directory/specialGroups.ts';

/** On these functional levels, membership in Protected Users does not prevent NTLM. */
const LEVELS_WITHOUT_PROTECTION: readonly string[] = [
  '2000 Mixed/Native',
  '2003 Interim',
  '2003',
  '2008',
  '2008 R2',
  '2012',
];

const PROTECTED_USERS = '-525';

/** Computers whose settings allow NTLM authentication, regardless of their groups, so that no membership changes the set. */
const unrestrictedComputers: Shared<NodeSet> = {
  name: 'computers that may send NTLM',
  reads: {
    nodeProperties: ['domainsid', 'restrictoutboundntlm'],
    shared: [domains, specialGroupNodes],
  },
  build: (context) => {
    const { properties } = context;
    const known = context.use(domains);
    return context.nodesOf('Computer').filter((computer) => {
      // A missing value counts as restricted: no edge without evidence.
      if (properties.flag('restrictoutboundntlm', computer) !== false) return false;
      const sid = properties.text('domainsid', computer);
      return (
        known.bySid(sid) !== NO_NODE && context.use(specialGroupNodes).authenticatedUsersOf(sid) !== NO_NODE
      );
    });
  },
};

/** Protected Users groups by domain SID, if the functional level of the domain enforces them. */
const protectingGroups: Shared<ReadonlyMap<string, number>> = {
  name: 'groups that protect from NTLM',
  reads: { nodeProperties: ['domainsid', 'functionallevel'], shared: [domains] },
  build: (context) => {
    const groups = firstByDomain(context, groupsWithSuffix(context, PROTECTED_USERS));
    return new Map([...groups].filter(([sid]) => isEnforced(context, sid)));
  },
};

function isEnforced(context: AnalysisContext, sid: string): boolean {
  const domain = context.use(domains).bySid(sid);
  if (domain === NO_NODE) return false;
  const level = context.properties.text('functionallevel', domain);
  return level === undefined || !LEVELS_WITHOUT_PROTECTION.includes(level);
}

export const coercibleComputers: Shared<NodeSet> = {
  name: 'coercible computers',
  reads: { nodeProperties: ['domainsid'], shared: [unrestrictedComputers, protectingGroups, membership] },
  build: (context) => {
    const { properties } = context;
    const isProtected = [...context.use(protectingGroups)].map(([sid, group]) =>
      context
        .use(membership)
        .membersOf(group)
        .filter((member) => properties.text('domainsid', member) === sid),
    );
    const all = context.use(unrestrictedComputers);
    return all.andNot(NodeSet.union(all.capacity, isProtected));
  },
};
