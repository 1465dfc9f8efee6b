/**
 * ADCSESC13: a certificate with an issuance policy that is linked to a group logs on as a member of that group.
 *
 * Rule: `docs/rules.md#adcsesc13`. Which trusts relate the group to the CA's domain is not verified there; a policy and its group are in
 * one configuration partition, so the forest decides here.
 */
import { NO_NODE } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import type { EnterpriseCa } from './certificateAuthorities.ts';
import { authenticates, type CertTemplate, needsNoApproval, needsNoSignature } from './certTemplates.ts';
import { usersWithoutDnsName } from './enrollment.ts';
import { enrollmentCases, escalationRule } from './escalation.ts';

/** LG(T) */
function linkedGroups(context: AnalysisContext, template: CertTemplate): Set<number> {
  const groups = new Set<number>();
  for (const policy of context.edges('ExtendedByPolicy').endsOf(template.node)) {
    for (const group of context.edges('OIDGroupLink').endsOf(policy)) groups.add(group);
  }
  return new Set([...groups].filter((group) => context.nodesOf('Group').has(group)));
}

/** @returns policies of the template that are linked to the group */
function linkedPolicies(context: AnalysisContext, { node }: CertTemplate, group: number): number[] {
  const links = context.edges('OIDGroupLink');
  return [...context.edges('ExtendedByPolicy').endsOf(node)].filter((policy) =>
    links.endsOf(policy).has(group),
  );
}

/** @returns the domain of a node: the one in its properties, otherwise the one that contains it; or `NO_NODE` */
function domainOf(context: AnalysisContext, node: number): number {
  const known = context.use(domains);
  const named = known.of(node);
  return named === NO_NODE
    ? (containersOf(context, node).find((at) => known.nodes.has(at)) ?? NO_NODE)
    : named;
}

/** @returns the node and its containers, innermost first */
function containersOf(context: AnalysisContext, node: number): number[] {
  const found = new Set([node]);
  for (const inner of found) for (const outer of context.edges('Contains').startsOf(inner)) found.add(outer);
  return [...found];
}

/** @returns the CA's domains in the forest of the group */
function relatedDomains(context: AnalysisContext, ca: EnterpriseCa, group: number): readonly number[] {
  const home = domainOf(context, group);
  if (home === NO_NODE) return [];
  return ca.domains.filter((domain) => context.use(domains).forestOf(domain).has(home));
}

export const esc13 = escalationRule({
  kind: 'ADCSESC13',
  settings: ({ template: { node } }) => [{ setting: 'template-approval', node }],
  settingsOf: (group, { template }, context) => {
    const policies = linkedPolicies(context, template, group);
    // If several links exist, no single one is needed.
    return policies.length === 1 ? [{ start: policies[0], kind: 'OIDGroupLink', end: group }] : [];
  },
  reads: {
    edges: ['ExtendedByPolicy', 'OIDGroupLink', 'Contains'],
    shared: [domains, usersWithoutDnsName],
  },
  cases: (context, only) =>
    enrollmentCases(context, only, {
      template: (template) =>
        needsNoApproval(template) && authenticates(template) && needsNoSignature(template),
      dnsFilter: true,
      targets: (_, ca, template) =>
        [...linkedGroups(context, template)].filter((group) => relatedDomains(context, ca, group).length > 0),
    }),
  domainsOf: relatedDomains,
  explain: (context, sketch, { template }, group) => {
    for (const policy of linkedPolicies(context, template, group)) {
      sketch.addEdge(template.node, 'ExtendedByPolicy', policy);
      sketch.addEdge(policy, 'OIDGroupLink', group);
    }
    const containers = containersOf(context, group);
    for (const outer of containers) {
      for (const inner of containers) sketch.addEdge(outer, 'Contains', inner);
    }
  },
});
