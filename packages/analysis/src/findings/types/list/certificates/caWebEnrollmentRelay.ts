import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { authoritiesWhere } from './common.ts';

export const caWebEnrollmentRelay = {
  kind: 'list',
  id: 'CAWebEnrollmentRelay',
  title: 'CA Web Enrollment Open to Relay',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: relay,
  remedy: {
    risk: 'An attacker can relay the authentication of a coerced computer to the web page, which issues a certificate in the name of this computer.',
    fix: 'Remove web enrollment, or require HTTPS with Extended Protection for Authentication.',
    steps: [
      'Find out who uses the web pages: the IIS log on the host of the CA names them.',
      'If no one does, remove the role services Certificate Authority Web Enrollment and Certificate Enrollment Web Service.',
      'Otherwise, require SSL for their applications in IIS, and remove the HTTP binding.',
      'Set Extended Protection to "Required" under Windows Authentication of each of these applications. For the Certificate Enrollment Web Service, also set policyEnforcement to "Always" in the extendedProtectionPolicy of its web.config. Restart IIS.',
      'Where all clients use Kerberos, turn off NTLM for these applications as well.',
    ],
    verify: [
      'The pages do not answer over HTTP. Over HTTPS, they refuse NTLM without channel binding, and the next collection reports no vulnerable endpoint.',
    ],
    care: 'Users and devices that enroll through the pages need another way if you remove them. Extended Protection fails behind a proxy that ends TLS: connect clients to the CA directly first.',
  },
  what: 'A CA offers web enrollment without protection against relay.',
  needs: ['hasvulnerableendpoint'],
  find: (facts) => authoritiesWhere(facts, 'hasvulnerableendpoint', true),
} as const satisfies ListFindingType;
