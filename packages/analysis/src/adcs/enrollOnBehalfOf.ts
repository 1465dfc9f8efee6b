/**
 * EnrollOnBehalfOf: a certificate of one template makes its holder an enrollment agent for another. Both must be published by active CAs
 * that share a domain. ADCSESC3 checks who may enroll.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import type { AnalysisContext } from '../analysisContext.ts';
import type { Rule } from '../rule.ts';
import { certificateAuthorities, commonDomains } from './certificateAuthorities.ts';
import { type CertTemplate, Oid } from './certTemplates.ts';

export const enrollOnBehalfOf: Rule = {
  name: 'EnrollOnBehalfOf',
  produces: ['EnrollOnBehalfOf'],
  reads: { shared: [certificateAuthorities] },
  // A schema 1 template can be its own enrollment agent.
  selfEdges: true,
  derive: (context, edges) => {
    const published = publishedTemplates(context);
    for (const agent of published) {
      if (agent.effectiveEkus === undefined) continue;
      for (const target of published) {
        if (isAgentFor(agent, target) && shareDomain(context, agent, target)) {
          edges.add('EnrollOnBehalfOf', agent.node, target.node);
        }
      }
    }
  },
};

function publishedTemplates(context: AnalysisContext): Set<CertTemplate> {
  return new Set(context.use(certificateAuthorities).active.flatMap((ca) => ca.templates));
}

function isAgentFor(agent: CertTemplate, target: CertTemplate): boolean {
  const ekus = agent.effectiveEkus ?? [];
  const anyPurpose = ekus.includes(Oid.anyPurpose);
  const requestAgent = ekus.includes(Oid.certificateRequestAgent);
  if (target.schemaVersion === 1) return ekus.length === 0 || requestAgent || anyPurpose;
  if (target.schemaVersion === undefined || target.schemaVersion < 2) return false;
  return (
    requestAgent &&
    !anyPurpose &&
    agent !== target &&
    target.authorizedSignatures === 1 &&
    target.applicationPolicies.includes(Oid.certificateRequestAgent)
  );
}

function shareDomain(context: AnalysisContext, agent: CertTemplate, target: CertTemplate): boolean {
  const { publishersOf } = context.use(certificateAuthorities);
  return publishersOf(agent.node).some(
    (a) => a.isHosted && publishersOf(target.node).some((b) => b.isHosted && commonDomains(a, b).length > 0),
  );
}
