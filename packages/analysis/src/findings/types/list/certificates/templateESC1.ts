import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import {
  authenticates,
  certTemplates,
  letsSubjectBeSupplied,
  needsNoApproval,
  needsNoSignature,
} from '../../../../adcs/certTemplates.ts';
import { enrollment } from '../../../../adcs/enrollment.ts';
import { certificateSubjects } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { enrolleesOf, templatesForOutsiders } from './common.ts';

export const templateESC1 = {
  kind: 'list',
  id: 'TemplateESC1',
  title: 'Template Allows Requester-Supplied Subject',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening', floor: 'moderate' }),
  family: certificateSubjects,
  what: 'A published logon template lets the requester supply the subject, without approval.',
  needs: ['enrolleesuppliessubject'],
  reads: { shared: [certificateAuthorities, certTemplates, enrollment] },
  find: (facts) =>
    templatesForOutsiders(
      facts,
      (template) =>
        letsSubjectBeSupplied(template) &&
        authenticates(template) &&
        needsNoApproval(template) &&
        needsNoSignature(template),
    ),
  usedBy: enrolleesOf,
} as const satisfies ListFindingType;
