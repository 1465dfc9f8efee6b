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
    steps: [
      'Install the security update of November 2024 (CVE-2024-49019), or a later cumulative update, on each CA that publishes the template. Then answer in Fix first that the CA has it.',
      'If no service or person enrolls in the template, unpublish it.',
      'If it is needed, duplicate it: the console cannot change a template of schema version 1. In the copy, select "Build from this Active Directory information" on the Subject Name tab with the UPN for users or the DNS name for computers, or require approval by a certificate manager. Publish the copy, and unpublish the original.',
      'If the original has to stay, grant Enroll only to the principals that need it: its permissions are the only part that the console can change.',
      'Review the certificates issued from the template, and revoke those with application policies or names that you do not expect.',
    ],
    verify: [
      'Each CA that publishes the template runs a build of November 2024 or later, or no CA publishes the template.',
      'A request with an application policy of its own yields a certificate without this policy.',
    ],
    care: 'Web servers and devices that enroll in the original need the copy first: check the issued requests before you unpublish it. The update restarts the CA.',
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
