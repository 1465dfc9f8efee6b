import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import { authenticates, certTemplates, omitsSecurityExtension } from '../../../../adcs/certTemplates.ts';
import { certificateBinding } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { publishedTemplates } from './common.ts';

export const templateNoSecurityExtension = {
  kind: 'list',
  id: 'TemplateNoSecurityExtension',
  title: 'Template Without Security Extension',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: certificateBinding,
  remedy: {
    risk: 'Its certificates name no SID, so a controller that is not strict takes the account that carries the name.',
    fix: 'Clear the flag that leaves the security extension out of the template, and renew its certificates.',
    verify: ['The template no longer shows the flag, and a new certificate carries the extension.'],
  },
  what: 'A published template for logon leaves out the security extension.',
  needs: ['nosecurityextension'],
  reads: { shared: [certificateAuthorities, certTemplates] },
  find: (facts) =>
    publishedTemplates(facts, (template) => authenticates(template) && omitsSecurityExtension(template)),
} as const satisfies ListFindingType;
