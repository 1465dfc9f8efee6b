/**
 * Environments (domains, tenants, and those declared by other sources) and their principals.
 *
 * Rule: `docs/findings.md#exposure-and-impact`.
 */
import { addTo, hasKind, NO_NODE, NodeSet, nodesOfKind, objectIdOf } from '@clew/graph';
import type { NodeKindName } from '@clew/model';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { type Domains, domains } from '../directory/domains.ts';
import { windowsIdentityFinder } from './windowsIdentities.ts';

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
  /** Nodes of the environments, ascending: environment n is the n-th node. */
  readonly nodes: readonly number[];
  /** Environment of each node, or `NO_ENVIRONMENT`. */
  readonly of: Uint32Array;
  /**
   * For each place, the first environment of the same forest; a tenant is its own forest. Trusts inside a forest join domains, whichever
   * side reports them.
   */
  readonly forests: Uint32Array;
  /** Principals of any environment; those without an environment, and Windows identities, are not counted. */
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
    const isOfWindows = windowsIdentityFinder(context.graph);
    const principals = NodeSet.union(context.graph.nodeCount, [
      ...PRINCIPAL_KINDS.map((kind) => context.nodesOf(kind)),
      ...declaredPrincipals(context, nodes, of),
    ]).filter((node) => of[node] !== NO_ENVIRONMENT && !isOfWindows(node));
    return { nodes, of, forests: forestsOf(nodes, context.use(domains)), principals };
  },
};

/** Principals of environments that definitions declare: nodes of the principal kinds in such an environment. */
function declaredPrincipals(
  { graph }: AnalysisContext,
  environmentNodes: readonly number[],
  of: Uint32Array,
): NodeSet[] {
  return graph.declared.environments.map(({ kind, principals }) => {
    const isOfKind = environmentNodes.map((node) => hasKind(graph, node, kind));
    return nodesOfKind(graph, ...principals).filter((node) => isOfKind[of[node]] === true);
  });
}

function forestsOf(nodes: readonly number[], known: Domains): Uint32Array {
  const forests = Uint32Array.from(nodes, (_, place) => place);
  const places = new Map(nodes.map((node, place) => [node, place]));
  for (const node of nodes) {
    if (!known.nodes.has(node)) continue;
    const joined = [...known.forestOf(node)].map((domain) => forests[places.get(domain) as number]);
    const first = Math.min(...joined);
    for (const [place, forest] of forests.entries()) if (joined.includes(forest)) forests[place] = first;
  }
  return forests;
}

/** A forest or tenant with members of a zone. */
export interface ForestZone {
  /** The forest as in `Environments.forests`. */
  readonly forest: number;
  readonly members: NodeSet;
  /** Its environments with principals or zone members; places, ascending. */
  readonly environments: readonly number[];
}

/**
 * Splits a zone by forest and tenant. A forest is the security boundary of a directory: a principal that controls one domain controls all
 * of them, so zone members count for all principals of the forest. @returns forests and tenants with members
 */
export function zoneByForest({ nodes, of, forests, principals }: Environments, zone: NodeSet): ForestZone[] {
  const members = new Map<number, number[]>();
  const isCounted = new Uint8Array(nodes.length);
  zone.forEach((node) => {
    if (of[node] === NO_ENVIRONMENT) return;
    isCounted[of[node]] = 1;
    addTo(members, forests[of[node]], node);
  });
  principals.forEach((node) => {
    isCounted[of[node]] = 1;
  });
  return [...members]
    .sort(([a], [b]) => a - b)
    .map(([forest, own]) => ({
      forest,
      members: NodeSet.of(zone.capacity, own),
      environments: [...nodes.keys()].filter((place) => forests[place] === forest && isCounted[place] === 1),
    }));
}

/** @returns the domain or tenant of each node; a domain belongs to itself */
function environmentNodes(context: AnalysisContext): Uint32Array {
  const { graph } = context;
  const found = graph.environmentOf.slice();
  for (const kind of ['Domain', 'AZTenant'] as const) {
    context.nodesOf(kind).forEach((node) => {
      found[node] = node;
    });
  }
  // A nested environment (an organization of an enterprise) counts separately.
  for (const { kind } of graph.declared.environments) {
    nodesOfKind(graph, kind).forEach((node) => {
      found[node] = node;
    });
  }
  // Objects without a description (members known only by id) are assigned by id.
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

/** @returns the SID of the domain that issued a SID (MS-DTYP 2.4.2); `undefined` for any other id */
export function domainSidOf(objectId: string): string | undefined {
  return /^(S-1-5-21-\d+-\d+-\d+)-\d+$/.exec(objectId)?.[1];
}
