import type { EdgeKindName } from '@clew/model';
import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import { certTemplates } from '../../../../adcs/certTemplates.ts';
import { enrollment } from '../../../../adcs/enrollment.ts';
import { LARGE_DEFAULT_GROUPS } from '../../../largeGroups.ts';
import { certificateSubjects } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { enrolleesOf, isForAgents, publishedTemplates } from './common.ts';

/** Rights on a template that allow enrollment. */
const ENROLLING: readonly EdgeKindName[] = ['Enroll', 'GenericAll', 'AllExtendedRights'];

export const templateAgentOpen = {
  kind: 'list',
  id: 'TemplateAgentOpen',
  title: 'Enrollment Agent Template Open to Many',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: certificateSubjects,
  remedy: {
    risk: 'The holder of an enrollment agent certificate can request certificates on behalf of others.',
    fix: 'Let only the actual enrollment agents enroll in the template, with approval.',
    steps: [
      'List who requests certificates on behalf of others: issued requests whose requester is not their subject name these agents.',
      'Create a group of these agents, grant it Enroll on the template, and remove Enroll and Autoenroll of the large groups.',
      'Require approval by a certificate manager on the Issuance Requirements tab.',
      'On the Enrollment Agents tab of the CA, restrict which agents enroll in which templates for which users.',
      'Review the enrollment agent certificates issued so far, and revoke those of other holders.',
    ],
    verify: [
      'The access control list of the template grants Enroll only to the agents, and a test request stays pending.',
      'The CA refuses a request on behalf of a user outside the restrictions.',
    ],
    care: 'Desks that issue smart cards, device management, and the Network Device Enrollment Service use such certificates: add their accounts to the group first.',
  },
  what: 'A large default group can enroll in an enrollment agent template, without approval.',
  needs: ['effectiveekus'],
  reads: {
    edges: ['Enroll', 'GenericAll', 'AllExtendedRights'],
    shared: [certificateAuthorities, certTemplates, enrollment],
  },
  find: (facts) => {
    const everybody = facts.withSuffix(facts.groups, ...LARGE_DEFAULT_GROUPS);
    return publishedTemplates(
      facts,
      (template) => isForAgents(template) && template.requiresManagerApproval !== true,
    ).filter((node) =>
      facts
        .edges(...ENROLLING)
        .startsOf(node)
        .intersects(everybody),
    );
  },
  usedBy: enrolleesOf,
} as const satisfies ListFindingType;
