/** Helpers shared by several findings of this folder. */
import { NodeSet } from '@clew/graph';
import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import { type CertTemplate, certTemplates, Oid } from '../../../../adcs/certTemplates.ts';
import { enrollment } from '../../../../adcs/enrollment.ts';
import type { FindingFacts } from '../../../findingFacts.ts';

export function authoritiesWhere(facts: FindingFacts, key: string, value: boolean): NodeSet {
  return facts.of('EnterpriseCA').and(facts.is(key, value));
}

export function publishedTemplates(facts: FindingFacts, test: (template: CertTemplate) => boolean): NodeSet {
  const authorities = facts.context.use(certificateAuthorities);
  const templates = facts.context.use(certTemplates);
  return facts.of('CertTemplate').filter((node) => {
    const template = templates.get(node);
    return template !== undefined && authorities.publishersOf(node).length > 0 && test(template);
  });
}

export function isForAgents({ effectiveEkus }: CertTemplate): boolean {
  return effectiveEkus?.includes(Oid.certificateRequestAgent) === true;
}

/** @returns the templates in which principals outside Tier Zero may enroll */
export function templatesForOutsiders(
  facts: FindingFacts,
  test: (template: CertTemplate) => boolean,
): NodeSet {
  const enrolled = facts.context.use(enrollment);
  return publishedTemplates(
    facts,
    (template) => test(template) && !enrolled.ofTemplate(template).direct.andNot(facts.tierZero).isEmpty,
  );
}

/**
 * @returns the principals outside Tier Zero that can enroll in a template, which requires rights on it and on an authority that publishes
 * it
 */
export function enrolleesOf(facts: FindingFacts, node: number): NodeSet {
  const { context, tierZero } = facts;
  const template = context.use(certTemplates).get(node);
  if (template === undefined) return NodeSet.empty(context.graph.nodeCount);
  const enrolled = context.use(enrollment);
  const ofTemplate = enrolled.ofTemplate(template);
  return NodeSet.union(
    context.graph.nodeCount,
    context
      .use(certificateAuthorities)
      .publishersOf(node)
      .map((authority) => enrolled.cover(ofTemplate, enrolled.ofCa(authority))),
  ).andNot(tierZero);
}
