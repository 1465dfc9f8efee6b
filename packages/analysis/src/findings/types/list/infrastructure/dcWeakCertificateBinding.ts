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
    fix: 'Set StrongCertificateBindingEnforcement to 2 on the domain controller, or bring it up to date.',
    verify: ['The value is 2 or absent on an updated controller, and events 39 and 41 have stopped.'],
  },
  what: 'A domain controller does not fully enforce strong binding of certificates.',
  needs: ['strongcertificatebindingenforcementraw'],
  // Without the value the Windows release decides, and current releases enforce fully.
  find: (facts) =>
    facts.controllers.filter((node) => {
      const level = facts.number('strongcertificatebindingenforcementraw', node);
      return level !== undefined && level !== NO_VALUE && level < FULL_ENFORCEMENT;
    }),
} as const satisfies ListFindingType;
