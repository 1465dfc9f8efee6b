/** What several findings of this folder ask. */
import type { NodeSet } from '@clew/graph';
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

/** Those in which anybody outside of Tier Zero may enrol. */
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
