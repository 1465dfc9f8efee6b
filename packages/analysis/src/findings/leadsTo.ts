/**
 * Lists domains that an object controls although no attack path edge shows it: a principal that controls a certification authority, one of
 * its templates, an operator group or DnsAdmins controls the domain, in ways that depend on more than one object.
 *
 * Rule: `docs/findings.md#exposure-and-impact`.
 */
import type { AnalysisContext, Reads, Shared } from '../analysisContext.ts';
import { groupsWithSuffix } from '../directory/specialGroups.ts';
import { environments } from './environments.ts';

/** Domains by node. Nodes that do not lead to a domain are missing. */
export type LeadsTo = ReadonlyMap<number, readonly number[]>;

/** Account Operators, Server Operators, Print Operators, Backup Operators: they can access everything on controllers. */
export const OPERATOR_GROUPS = ['-S-1-5-32-548', '-S-1-5-32-549', '-S-1-5-32-550', '-S-1-5-32-551'] as const;

const READS: Reads = {
  edges: ['PublishedTo', 'TrustedForNTAuth', 'NTAuthStoreFor'],
  nodeProperties: ['name'],
  shared: [environments],
};

export const leadsTo: Shared<LeadsTo> = {
  name: 'nodes that lead to domains',
  reads: READS,
  build: (context) => {
    const found = new Map<number, readonly number[]>();
    for (const [authority, domains] of authorities(context)) {
      found.set(authority, domains);
      context.edges('PublishedTo').into(authority, (template) => {
        found.set(
          template,
          [...new Set([...(found.get(template) ?? []), ...domains])].sort((a, b) => a - b),
        );
      });
    }
    const { nodes, of } = context.use(environments);
    for (const group of [...groupsWithSuffix(context, ...OPERATOR_GROUPS), ...dnsAdministrators(context)]) {
      const domain = nodes[of[group]];
      if (domain !== undefined && context.nodesOf('Domain').has(domain)) found.set(group, [domain]);
    }
    return found;
  },
};

/** Authorities whose certificates allow logon, with the domains that accept them. */
function authorities(context: AnalysisContext): Map<number, number[]> {
  const found = new Map<number, number[]>();
  context.nodesOf('EnterpriseCA').forEach((authority) => {
    const domains = new Set<number>();
    for (const store of context.edges('TrustedForNTAuth').endsOf(authority))
      for (const domain of context.edges('NTAuthStoreFor').endsOf(store)) domains.add(domain);
    if (domains.size > 0)
      found.set(
        authority,
        [...domains].sort((a, b) => a - b),
      );
  });
  return found;
}

/** The group has no fixed relative id. */
function dnsAdministrators(context: AnalysisContext): number[] {
  return [...context.nodesOf('Group')].filter((group) =>
    context.properties.text('name', group)?.toUpperCase().startsWith('DNSADMINS@'),
  );
}
