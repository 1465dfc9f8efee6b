import { objectIdOf } from '@clew/graph';
import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import { certTemplates, letsSubjectBeSupplied, needsNoApproval } from '../../../../adcs/certTemplates.ts';
import { enrollment } from '../../../../adcs/enrollment.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { certificateSubjects } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { enrolleesOf, templatesForOutsiders } from './common.ts';

export const templateESC15 = {
  kind: 'list',
  id: 'TemplateESC15',
  title: 'Schema 1 Template Open to Added Application Policies (ESC15)',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'moderate',
  family: certificateSubjects,
  remedy: {
    risk: 'On a CA without the update, anyone who can enroll can add the application policy of a client or an enrollment agent to the request, and log on as someone else. Whether a CA has the update is not collected: answer this for each CA in Fix first.',
    fix: 'Update the CAs (CVE-2024-49019), and unpublish the template or restrict enrollment.',
  },
  what: 'A published template of schema version 1 lets the requester supply the subject. CAs without the update of November 2024 also accept application policies from the request.',
  needs: ['enrolleesuppliessubject', 'schemaversion'],
  reads: { shared: [certificateAuthorities, certTemplates, enrollment] },
  find: (facts) =>
    templatesForOutsiders(
      facts,
      (template) =>
        template.schemaVersion === 1 && letsSubjectBeSupplied(template) && needsNoApproval(template),
    ).filter((node) => isPublishedWithoutUpdate(facts, node)),
  usedBy: enrolleesOf,
} as const satisfies ListFindingType;

/** An authority for which someone answered that it has the update ignores added policies. */
function isPublishedWithoutUpdate({ context }: FindingFacts, template: number): boolean {
  const { updatedAuthorities } = context.options;
  return (
    updatedAuthorities === undefined ||
    context
      .use(certificateAuthorities)
      .publishersOf(template)
      .some(({ node }) => !updatedAuthorities.has(objectIdOf(context.graph, node)))
  );
}
