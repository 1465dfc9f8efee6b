import { certificateBinding } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { NO_VALUE } from './common.ts';

/** Value for full enforcement of strong binding. Source: KB5014754. */
const FULL_ENFORCEMENT = 2;

export const dcWeakCertificateBinding = {
  kind: 'list',
  id: 'DCWeakCertificateBinding',
  title: 'Domain Controllers Accepting Weak Certificate Binding',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: certificateBinding,
  remedy: {
    fix: 'Set StrongCertificateBindingEnforcement to 2 on the domain controller, or install current updates.',
    verify: [
      'The value is 2, or absent on an updated domain controller, and events 39 and 41 no longer occur.',
    ],
  },
  what: 'A domain controller does not fully enforce strong certificate binding.',
  needs: ['strongcertificatebindingenforcementraw'],
  // Without the value the Windows release decides, and current releases enforce fully.
  find: (facts) =>
    facts.controllers.filter((node) => {
      const level = facts.number('strongcertificatebindingenforcementraw', node);
      return level !== undefined && level !== NO_VALUE && level < FULL_ENFORCEMENT;
    }),
} as const satisfies ListFindingType;
