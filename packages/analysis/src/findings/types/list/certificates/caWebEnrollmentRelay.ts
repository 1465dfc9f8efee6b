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
  },
  what: 'A CA offers web enrollment without protection against relay.',
  needs: ['hasvulnerableendpoint'],
  find: (facts) => authoritiesWhere(facts, 'hasvulnerableendpoint', true),
} as const satisfies ListFindingType;
