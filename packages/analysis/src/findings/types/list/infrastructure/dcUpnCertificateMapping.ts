import { certificateBinding } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { NO_VALUE } from './common.ts';

/** Schannel mapping method by UPN. Source: KB5014754. */
const UPN_MAPPING = 0x4;

export const dcUpnCertificateMapping = {
  kind: 'list',
  id: 'DCUPNCertificateMapping',
  title: 'Domain Controllers Mapping Certificates by UPN',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: certificateBinding,
  remedy: {
    risk: 'Anyone who can write the user principal name of an account can use its certificate as someone else.',
    fix: 'Remove the bit 0x4 from CertificateMappingMethods on the domain controller; the default is 0x18.',
    verify: [
      'The value contains neither 0x4 nor other weak methods, and certificate logons over LDAPS still work.',
    ],
    care: 'Web applications and VPNs that map certificates by name need explicit mappings first.',
  },
  what: 'A domain controller maps certificates by user principal name over Schannel.',
  needs: ['certificatemappingmethodsraw'],
  find: (facts) =>
    facts.controllers.filter((node) => {
      const methods = facts.number('certificatemappingmethodsraw', node);
      return methods !== undefined && methods !== NO_VALUE && (methods & UPN_MAPPING) !== 0;
    }),
} as const satisfies ListFindingType;
