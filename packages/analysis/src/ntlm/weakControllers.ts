/** Domain controllers that accept relayed LDAP authentication. Rule: `docs/rules.md#coerceandrelayntlmtosmb` (the sets L and S). */
import { NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';

/** Keyed by domain SID. */
export interface WeakControllers {
  readonly ldap: ReadonlyMap<string, NodeSet>;
  readonly ldaps: ReadonlyMap<string, NodeSet>;
}

export const weakControllers: Shared<WeakControllers> = {
  name: 'weak domain controllers',
  reads: {
    nodeProperties: ['domainsid', 'isdc', 'ldapavailable', 'ldapsepa', 'ldapsavailable', 'ldapsigning'],
  },
  build: (context) => ({
    ldap: controllersWhere(context, 'ldapavailable', 'ldapsigning'),
    ldaps: controllersWhere(context, 'ldapsavailable', 'ldapsepa'),
  }),
};

/** Domain controllers that offer the service and are known not to require its protection. */
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
