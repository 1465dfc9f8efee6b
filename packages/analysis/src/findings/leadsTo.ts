/**
 * Lists domains that an object controls although no attack path edge shows it: a principal that controls a certification authority, one of
 * its templates, an object that decides which authorities are trusted, AdminSDHolder, an operator group or DnsAdmins controls the domain,
 * in ways that depend on more than one object.
 *
 * Rule: `docs/findings.md#exposure-and-impact`.
 */
import type { AnalysisContext, Reads, Shared } from '../analysisContext.ts';
import { isAdminSdHolder } from '../directory/adminSdHolder.ts';
import { groupsWithSuffix } from '../directory/specialGroups.ts';
import { environments } from './environments.ts';

/** Domains by node. Nodes that do not lead to a domain are missing. */
export type LeadsTo = ReadonlyMap<number, readonly number[]>;

/** Account Operators, Server Operators, Print Operators, Backup Operators: they can access everything on controllers. */
export const OPERATOR_GROUPS = ['-S-1-5-32-548', '-S-1-5-32-549', '-S-1-5-32-550', '-S-1-5-32-551'] as const;

/** Objects whose certificates decide which authorities the domains trust. */
const TRUST_ANCHORS = [
  ['NTAuthStore', 'NTAuthStoreFor'],
  ['RootCA', 'RootCAFor'],
] as const;

/** The container of the root certificates that all computers of the forest trust. */
const ROOT_AUTHORITIES = 'CN=CERTIFICATION AUTHORITIES,CN=PUBLIC KEY SERVICES,CN=SERVICES,CN=CONFIGURATION,';

const READS: Reads = {
  edges: ['PublishedTo', 'TrustedForNTAuth', 'NTAuthStoreFor', 'RootCAFor'],
  nodeProperties: ['name', 'distinguishedname'],
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
    for (const [kind, edge] of TRUST_ANCHORS) {
      context.nodesOf(kind).forEach((anchor) => {
        const domains = [...context.edges(edge).endsOf(anchor)].sort((a, b) => a - b);
        if (domains.length > 0) found.set(anchor, domains);
      });
    }
    const { nodes, of } = context.use(environments);
    for (const node of [
      ...groupsWithSuffix(context, ...OPERATOR_GROUPS),
      ...dnsAdministrators(context),
      ...powerfulContainers(context),
    ]) {
      const domain = nodes[of[node]];
      if (domain !== undefined && context.nodesOf('Domain').has(domain)) found.set(node, [domain]);
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

function powerfulContainers(context: AnalysisContext): number[] {
  return [...context.nodesOf('Container')].filter((container) => {
    const name = context.properties.text('distinguishedname', container);
    return isAdminSdHolder(name) || name?.toUpperCase().startsWith(ROOT_AUTHORITIES) === true;
  });
}
