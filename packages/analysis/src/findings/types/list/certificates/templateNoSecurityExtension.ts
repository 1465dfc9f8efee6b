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
    risk: 'Its certificates contain no SID, so a domain controller without full enforcement accepts the account that has the name.',
    fix: 'Clear the flag that omits the security extension from the template, and renew its certificates.',
    verify: ['The template no longer has the flag, and a new certificate contains the extension.'],
  },
  what: 'A published logon template omits the security extension.',
  needs: ['nosecurityextension'],
  reads: { shared: [certificateAuthorities, certTemplates] },
  find: (facts) =>
    publishedTemplates(facts, (template) => authenticates(template) && omitsSecurityExtension(template)),
} as const satisfies ListFindingType;
