import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import { certTemplates } from '../../../../adcs/certTemplates.ts';
import { templateRights } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { publishedTemplates } from './common.ts';

export const FLAG_RIGHTS = ['WritePKINameFlag', 'WritePKIEnrollmentFlag'] as const;

export const templateFlagsWritable = {
  kind: 'list',
  id: 'TemplateFlagsWritable',
  title: 'Template Whose Flags Outsiders May Change',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  effort: 2,
  floor: 'moderate',
  family: templateRights,
  what: 'A principal outside Tier Zero can write the flags of a published template. The flags control who supplies the subject and whether requests need approval.',
  needs: [],
  reads: { edges: FLAG_RIGHTS, shared: [certificateAuthorities, certTemplates] },
  find: (facts) => {
    const rights = facts.edges(...FLAG_RIGHTS);
    return publishedTemplates(facts, () => true).filter(
      (template) => !rights.startsOf(template).andNot(facts.tierZero).isEmpty,
    );
  },
  usedBy: (facts, template) =>
    facts
      .edges(...FLAG_RIGHTS)
      .startsOf(template)
      .andNot(facts.tierZero),
} as const satisfies ListFindingType;
