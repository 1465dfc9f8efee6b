import { Oid } from '../../../../adcs/certTemplates.ts';
import { certificateBinding } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const caSecurityExtensionDisabled = {
  kind: 'list',
  id: 'CASecurityExtensionDisabled',
  title: 'CA Omits the Security Extension (ESC16)',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: certificateBinding,
  remedy: {
    risk: 'Certificates without the extension contain no SID, so a domain controller without full enforcement accepts the account that has the name.',
    fix: 'Remove the extension 1.3.6.1.4.1.311.25.2 from the list of disabled extensions, and restart the service.',
    verify: [
      'certutil -getreg policy\\DisableExtensionList no longer shows it, and new certificates contain it.',
    ],
  },
  what: 'A CA omits the security extension from the certificates that it issues.',
  needs: ['disabledextensions'],
  find: (facts) =>
    facts
      .of('EnterpriseCA')
      .filter((node) => facts.texts('disabledextensions', node).includes(Oid.securityExtension)),
} as const satisfies ListFindingType;
