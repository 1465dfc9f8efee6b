/**
 * Which computers can be made to authenticate over NTLM, and which domain controllers accept it when relayed.
 * Rule: shared reference `derived-ad.md` 4.7 (the sets V, Prot, L and S).
 */
import { NO_NODE, NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { membership } from '../directory/membership.ts';
import { firstByDomain, groupsWithSuffix, specialGroups } from '../directory/specialGroups.ts';

export interface Coercion {
  /** V: computers whose NTLM authentication can be coerced. */
  readonly coercible: NodeSet;
  /** Nodes that accept relayed LDAP, by domain SID. */
  readonly ldapTargets: ReadonlyMap<string, NodeSet>;
  /** Nodes that accept relayed LDAPS, by domain SID. */
  readonly ldapsTargets: ReadonlyMap<string, NodeSet>;
}

/** Functional levels on which Protected Users does not yet block NTLM. */
const WEAK_LEVELS = new Set(['2000 Mixed/Native', '2003 Interim', '2003', '2008', '2008 R2', '2012']);

export const coercion: Shared<Coercion> = {
  name: 'coercion',
  reads: {
    nodeProperties: [
      'domainsid',
      'functionallevel',
      'isdc',
      'ldapavailable',
      'ldapsepa',
      'ldapsavailable',
      'ldapsigning',
      'restrictoutboundntlm',
    ],
    shared: [domains, membership, specialGroups],
  },
  build: (context) => ({
    coercible: coercibleComputers(context),
    ldapTargets: controllersWhere(context, 'ldapavailable', 'ldapsigning'),
    ldapsTargets: controllersWhere(context, 'ldapsavailable', 'ldapsepa'),
  }),
};

/** Absent data counts as protected: an edge needs evidence. */
function coercibleComputers(context: AnalysisContext): NodeSet {
  const { properties } = context;
  const protectedUsers = firstByDomain(context, groupsWithSuffix(context, '-525'));
  const shielded = new Map<string, NodeSet>();
  for (const [sid, group] of protectedUsers) {
    const domain = context.use(domains).bySid(sid);
    const level = domain === NO_NODE ? undefined : properties.text('functionallevel', domain);
    const isWeak = level !== undefined && WEAK_LEVELS.has(level);
    if (!isWeak) shielded.set(sid, context.use(membership).membersOf(group));
  }
  return context
    .nodesOf('Computer')
    .and(properties.nodesWhere('restrictoutboundntlm', false))
    .filter((computer) => {
      const sid = properties.text('domainsid', computer);
      if (sid === undefined || context.use(domains).bySid(sid) === NO_NODE) return false;
      if (context.use(specialGroups).authenticatedUsersOf(sid) === NO_NODE) return false;
      return shielded.get(sid)?.has(computer) !== true;
    });
}

/** Domain controllers that offer the service and are known not to demand its protection. */
function controllersWhere(
  context: AnalysisContext,
  available: string,
  protection: string,
): Map<string, NodeSet> {
  const { properties } = context;
  const weak = properties
    .nodesWhere('isdc', true)
    .and(properties.nodesWhere(available, true))
    .and(properties.nodesWhere(protection, false));
  const byDomain = Map.groupBy(weak, (node) => properties.text('domainsid', node) ?? '');
  byDomain.delete('');
  return new Map([...byDomain].map(([sid, nodes]) => [sid, NodeSet.of(context.graph.nodeCount, nodes)]));
}
