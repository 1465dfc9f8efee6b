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
