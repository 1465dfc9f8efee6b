/**
 * ExtendedByPolicy: a template adds an issuance policy of its own domain to its certificates. Several policies may share an object
 * identifier; each gets an edge.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import type { Rule } from '../rule.ts';

export const extendedByPolicy: Rule = {
  name: 'ExtendedByPolicy',
  produces: ['ExtendedByPolicy'],
  reads: { nodeProperties: ['certificatepolicy', 'certtemplateoid', 'domainsid'] },
  derive: (context, edges) => {
    const { properties } = context;
    const policies = new Map<string, number[]>();
    for (const policy of context.nodesOf('IssuancePolicy')) {
      const oid = properties.text('certtemplateoid', policy);
      const domainSid = properties.text('domainsid', policy);
      if (oid === undefined || !domainSid) continue;
      const key = `${domainSid} ${oid}`;
      policies.set(key, [...(policies.get(key) ?? []), policy]);
    }
    for (const template of context.nodesOf('CertTemplate')) {
      const domainSid = properties.text('domainsid', template);
      for (const oid of properties.texts('certificatepolicy', template)) {
        for (const policy of policies.get(`${domainSid} ${oid}`) ?? []) {
          edges.add('ExtendedByPolicy', template, policy);
        }
      }
    }
  },
};
