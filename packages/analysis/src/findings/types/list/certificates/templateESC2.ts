import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import {
  type CertTemplate,
  certTemplates,
  needsNoApproval,
  needsNoSignature,
  Oid,
} from '../../../../adcs/certTemplates.ts';
import { enrollment } from '../../../../adcs/enrollment.ts';
import { certificateSubjects } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { enrolleesOf, templatesForOutsiders } from './common.ts';

export const templateESC2 = {
  kind: 'list',
  id: 'TemplateESC2',
  title: 'Template Valid for Any Purpose',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'moderate',
  family: certificateSubjects,
  remedy: {
    risk: 'A certificate for any purpose can be used for logon, for signing, or as an enrollment agent certificate.',
    fix: 'Replace "Any Purpose" with the required usages, or restrict enrollment.',
    steps: [
      'List the uses of the certificates issued from the template, such as server authentication or signing. Unpublish a template that no one uses.',
      'On the Extensions tab, edit Application Policies: remove "Any Purpose", and add only these uses. A template without any usage is also valid for all of them. Duplicate a template of schema version 1 first: the console cannot change it.',
      'Grant Enroll only to a group of principals that need it, or require approval by a certificate manager.',
      'Reissue the certificates with the new usages, and revoke the old ones: they stay valid for any purpose.',
    ],
    verify: [
      'The application policies of the template, and of a new certificate, list usages, and none of them is 2.5.29.37.0 (Any Purpose).',
    ],
    care: 'A service fails if its new certificate lacks a usage that it needs: try one certificate of each use first. Templates of subordinate CAs have to be valid for any purpose: restrict their enrollment instead.',
  },
  what: 'A published template issues certificates for any purpose, without approval.',
  needs: ['effectiveekus'],
  reads: { shared: [certificateAuthorities, certTemplates, enrollment] },
  find: (facts) =>
    templatesForOutsiders(
      facts,
      (template) => isForAnyPurpose(template) && needsNoApproval(template) && needsNoSignature(template),
    ),
  usedBy: enrolleesOf,
} as const satisfies ListFindingType;

/** A template without usages is valid for all of them. */
function isForAnyPurpose({ effectiveEkus }: CertTemplate): boolean {
  return (
    effectiveEkus !== undefined && (effectiveEkus.length === 0 || effectiveEkus.includes(Oid.anyPurpose))
  );
}
