/**
 * Environments (domains, tenants, what other sources declare) and the principals in them.
 *
 * Rule: `docs/findings.md#exposure-and-impact`.
 */
import { NO_NODE, NodeSet, objectIdOf } from '@clew/graph';
import type { NodeKindName } from '@clew/model';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';

/** Groups, units, policies, roles and applications are never counted. Managed service accounts are users. */
export const PRINCIPAL_KINDS: readonly NodeKindName[] = [
  'User',
  'Computer',
  'AZUser',
  'AZServicePrincipal',
  'AZVM',
];

/** Stands for "in no environment". */
export const NO_ENVIRONMENT = 0xffff_ffff;

export interface Environments {
  /** Node of each environment, ascending: environment n is the n-th of them. */
  readonly nodes: readonly number[];
  /** Environment of each node, or `NO_ENVIRONMENT`. */
  readonly of: Uint32Array;
  /** Principals of any environment; one that belongs to none cannot be counted anywhere. */
  readonly principals: NodeSet;
}

export const environments: Shared<Environments> = {
  name: 'environments',
  reads: { nodeProperties: ['domainsid', 'tenantid'], shared: [domains] },
  build: (context) => {
    const owners = environmentNodes(context);
    const nodes = [...new Set(owners)].filter((node) => node !== NO_NODE).sort((a, b) => a - b);
    const places = new Map(nodes.map((node, place) => [node, place]));
    const of = owners.map((node) => places.get(node) ?? NO_ENVIRONMENT);
    const principals = NodeSet.union(
      context.graph.nodeCount,
      PRINCIPAL_KINDS.map((kind) => context.nodesOf(kind)),
    ).filter((node) => of[node] !== NO_ENVIRONMENT);
    return { nodes, of, principals };
  },
};

/** @returns per node the domain or tenant it belongs to; a domain belongs to itself. */
function environmentNodes(context: AnalysisContext): Uint32Array {
  const { graph } = context;
  const found = graph.environmentOf.slice();
  for (const kind of ['Domain', 'AZTenant'] as const) {
    context.nodesOf(kind).forEach((node) => {
      found[node] = node;
    });
  }
  // Objects that were not described (a member named by its id only) still show it by their ids.
  const known = context.use(domains);
  const tenants = new Map([...context.nodesOf('AZTenant')].map((node) => [objectIdOf(graph, node), node]));
  for (let node = 0; node < graph.nodeCount; node++) {
    if (found[node] !== NO_NODE) continue;
    found[node] = known.of(node);
    if (found[node] !== NO_NODE) continue;
    const tenant = context.properties.text('tenantid', node)?.toUpperCase();
    found[node] = tenants.get(tenant ?? '') ?? known.bySid(domainSidOf(objectIdOf(graph, node)));
  }
  return found;
}

/** @returns the SID of the domain that issued a SID (MS-DTYP 2.4.2); `undefined` for any other id. */
export function domainSidOf(objectId: string): string | undefined {
  return /^(S-1-5-21-\d+-\d+-\d+)-\d+$/.exec(objectId)?.[1];
}
