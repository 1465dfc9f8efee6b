/**
 * Enterprise CAs for the rules: their hosts, their published templates, and the domains that trust their certificates. Rules consider only
 * active CAs: a CA is active if it has an enabled host in its own forest and a domain to which its certificate chains. That excludes
 * retired CAs and copies of a CA in another forest.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import { NO_NODE } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { type CertTemplate, certTemplates } from './certTemplates.ts';

export interface EnterpriseCa {
  readonly node: number;
  /** Enabled computers in the CA's forest that run the service. Ascending. */
  readonly hosts: readonly number[];
  /** The service runs on one of the hosts, or on a computer that the collector could not identify. */
  readonly isHosted: boolean;
  /** Domains that accept its certificates for logon. Ascending. */
  readonly domains: readonly number[];
  /** Published templates, ordered by node number. */
  readonly templates: readonly CertTemplate[];
}

export interface CertificateAuthorities {
  readonly all: readonly EnterpriseCa[];
  readonly active: readonly EnterpriseCa[];
  /** @returns the CAs that publish the template, active or not */
  publishersOf(template: number): readonly EnterpriseCa[];
}

/** Edges from a template through its publishing authorities, their hosts and chains, to the domains that trust them. */
export const AUTHORITY_EDGES = [
  'PublishedTo',
  'HostsCAService',
  'IssuedSignedBy',
  'EnterpriseCAFor',
  'RootCAFor',
  'TrustedForNTAuth',
  'NTAuthStoreFor',
] as const;

export const certificateAuthorities: Shared<CertificateAuthorities> = {
  name: 'certificate authorities',
  reads: {
    edges: AUTHORITY_EDGES,
    nodeProperties: ['enabled', 'hostunresolved'],
    shared: [domains, certTemplates],
  },
  build: (context) => {
    const all = [...context.nodesOf('EnterpriseCA')].map((node) => readCa(context, node));
    const publishers = new Map<number, EnterpriseCa[]>();
    for (const ca of all) {
      for (const { node } of ca.templates) publishers.set(node, [...(publishers.get(node) ?? []), ca]);
    }
    return {
      all,
      active: all.filter((ca) => ca.isHosted && ca.domains.length > 0),
      publishersOf: (template) => publishers.get(template) ?? [],
    };
  },
};

/** @returns domains that accept certificates of both CAs */
export function commonDomains(a: EnterpriseCa, b: EnterpriseCa): number[] {
  return a.domains.filter((domain) => b.domains.includes(domain));
}

function readCa(context: AnalysisContext, node: number): EnterpriseCa {
  const templates = context.use(certTemplates);
  const published = [...context.edges('PublishedTo').startsOf(node)].map((start) => templates.get(start));
  const hosts = qualifyingHosts(context, node);
  return {
    node,
    hosts,
    isHosted: hosts.length > 0 || hasUnknownHost(context, node),
    domains: chainedDomains(context, node),
    templates: published.filter((template) => template !== undefined),
  };
}

/**
 * The host must belong to the CA's forest, if known: a CA object published into another forest is a copy of a service that runs elsewhere.
 */
function qualifyingHosts(context: AnalysisContext, ca: number): number[] {
  const known = context.use(domains);
  const computers = context.nodesOf('Computer');
  const caDomain = known.of(ca);
  const forest = caDomain === NO_NODE ? undefined : known.forestOf(caDomain);
  return [...context.edges('HostsCAService').startsOf(ca)].filter((host) => {
    if (!computers.has(host) || context.properties.flag('enabled', host) !== true) return false;
    if (forest === undefined) return true;
    const hostDomain = known.of(host);
    return hostDomain !== NO_NODE && forest.has(hostDomain);
  });
}

function hasUnknownHost(context: AnalysisContext, ca: number): boolean {
  if (context.properties.flag('hostunresolved', ca) !== true) return false;
  return context.edges('HostsCAService').startsOf(ca).isEmpty;
}

/** Domains that contain the root of the CA's chain and whose NTAuth store contains the CA. */
function chainedDomains(context: AnalysisContext, ca: number): number[] {
  const nodes = context.use(domains).nodes;
  const trusting = new Set<number>();
  for (const store of context.edges('TrustedForNTAuth').endsOf(ca)) {
    if (!context.nodesOf('NTAuthStore').has(store)) continue;
    for (const domain of context.edges('NTAuthStoreFor').endsOf(store)) trusting.add(domain);
  }
  if (trusting.size === 0) return [];
  const rooted = new Set<number>();
  for (const root of rootsOf(context, ca)) {
    for (const domain of context.edges('RootCAFor').endsOf(root)) rooted.add(domain);
  }
  return [...nodes].filter((domain) => trusting.has(domain) && rooted.has(domain));
}

/** @returns root CAs at the end of the chain; intermediate ones are enterprise or AIA CAs */
function rootsOf(context: AnalysisContext, ca: number): Set<number> {
  const issuers = context.edges('IssuedSignedBy', 'EnterpriseCAFor');
  const seen = new Set([ca]);
  const roots = new Set<number>();
  for (const node of seen) {
    issuers.outOf(node, (issuer) => {
      if (context.nodesOf('RootCA').has(issuer)) roots.add(issuer);
      if (context.nodesOf('EnterpriseCA').has(issuer) || context.nodesOf('AIACA').has(issuer)) {
        seen.add(issuer);
      }
    });
  }
  return roots;
}
