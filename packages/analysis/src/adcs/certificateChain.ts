/**
 * Links CA certificates by equal thumbprints: one CA certificate usually appears as an enterprise CA, a root CA and an AIA CA.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import type { NodeSet } from '@clew/graph';
import type { NodeKindName } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import type { Rule } from '../rule.ts';

const CA_KINDS = ['EnterpriseCA', 'RootCA', 'AIACA'] as const;

/** Links an EnterpriseCA to the NTAuth store that lists its certificate: certificates that it issues may be used for logon. */
export const trustedForNtAuth: Rule = {
  name: 'TrustedForNTAuth',
  produces: ['TrustedForNTAuth'],
  reads: { nodeProperties: ['certthumbprint', 'certthumbprints'] },
  derive: (context, edges) => {
    const enterpriseCas = byThumbprint(context, ['EnterpriseCA']);
    for (const store of context.nodesOf('NTAuthStore')) {
      for (const thumbprint of context.properties.texts('certthumbprints', store)) {
        for (const ca of enterpriseCas.get(thumbprint) ?? []) edges.add('TrustedForNTAuth', ca, store);
      }
    }
  },
};

/** Links a CA to the CA that issued its certificate: only the second certificate of the chain, never a higher one. */
export const issuedSignedBy: Rule = {
  name: 'IssuedSignedBy',
  produces: ['IssuedSignedBy'],
  reads: { nodeProperties: ['certthumbprint', 'certchain'] },
  derive: (context, edges) => {
    const cas = byThumbprint(context, CA_KINDS);
    for (const ca of nodesOfKinds(context, CA_KINDS)) {
      const issuer = context.properties.texts('certchain', ca)[1];
      for (const issuing of cas.get(issuer) ?? []) edges.add('IssuedSignedBy', ca, issuing);
    }
  },
};

/** Links an EnterpriseCA to the root and AIA CAs with the same certificate. */
export const enterpriseCaFor: Rule = {
  name: 'EnterpriseCAFor',
  produces: ['EnterpriseCAFor'],
  reads: { nodeProperties: ['certthumbprint'] },
  derive: (context, edges) => {
    const published = byThumbprint(context, ['RootCA', 'AIACA']);
    for (const ca of context.nodesOf('EnterpriseCA')) {
      const thumbprint = context.properties.text('certthumbprint', ca) ?? '';
      for (const same of published.get(thumbprint) ?? []) edges.add('EnterpriseCAFor', ca, same);
    }
  },
};

function nodesOfKinds(context: AnalysisContext, kinds: readonly NodeKindName[]): NodeSet {
  return kinds.map((kind) => context.nodesOf(kind)).reduce((all, nodes) => all.or(nodes));
}

/** @returns nodes of the kinds, keyed by certificate thumbprint; empty thumbprints are skipped */
function byThumbprint(context: AnalysisContext, kinds: readonly NodeKindName[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const node of nodesOfKinds(context, kinds)) {
    const thumbprint = context.properties.text('certthumbprint', node);
    if (thumbprint) found.set(thumbprint, [...(found.get(thumbprint) ?? []), node]);
  }
  return found;
}
