/**
 * Computers whose machine account can be made to authenticate over NTLM to a host of somebody else's choice.
 *
 * Rule: `docs/rules.md#coerceandrelayntlmtosmb` (coercible set V), `docs/rules.md#coerceandrelayntlmtoadcs`.
 */
import { NO_NODE, type NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { membership } from '../directory/membership.ts';
import { firstByDomain, groupsWithSuffix, specialGroups } from '../directory/specialGroups.ts';

/** On these functional levels membership in Protected Users does not keep an account from NTLM. */
const LEVELS_WITHOUT_PROTECTION: readonly string[] = [
  '2000 Mixed/Native',
  '2003 Interim',
  '2003',
  '2008',
  '2008 R2',
  '2012',
];

const PROTECTED_USERS = '-525';

export const coercibleComputers: Shared<NodeSet> = {
  name: 'coercible computers',
  reads: {
    nodeProperties: ['domainsid', 'restrictoutboundntlm', 'functionallevel'],
    shared: [domains, membership, specialGroups],
  },
  build: (context) => {
    const { properties } = context;
    const known = context.use(domains);
    const protectedComputers = protectedFromNtlm(context);
    return context.nodesOf('Computer').filter((computer) => {
      // Absent counts as restricted: no edge without evidence.
      if (properties.flag('restrictoutboundntlm', computer) !== false) return false;
      const sid = properties.text('domainsid', computer);
      return (
        known.bySid(sid) !== NO_NODE &&
        context.use(specialGroups).authenticatedUsersOf(sid) !== NO_NODE &&
        !protectedComputers.has(computer)
      );
    });
  },
};

/** @returns members of Protected Users of their own domain, where its functional level enforces it. */
function protectedFromNtlm(context: AnalysisContext): NodeSet {
  const { properties } = context;
  const known = context.use(domains);
  const groups = firstByDomain(context, groupsWithSuffix(context, PROTECTED_USERS));
  let found = context.emptySet();
  for (const [sid, group] of groups) {
    const domain = known.bySid(sid);
    if (domain === NO_NODE) continue;
    const level = properties.text('functionallevel', domain);
    if (level !== undefined && LEVELS_WITHOUT_PROTECTION.includes(level)) continue;
    const members = context.use(membership).membersOf(group);
    found = found.or(members.filter((member) => properties.text('domainsid', member) === sid));
  }
  return found;
}
