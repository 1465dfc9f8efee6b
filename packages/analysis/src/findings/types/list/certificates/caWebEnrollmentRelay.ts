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
    risk: 'Authentication of a computer that was made to connect can be passed on to the page, which issues a certificate in its name.',
    fix: 'Remove web enrollment, or enforce HTTPS with Extended Protection for Authentication on it.',
  },
  what: 'A certification authority offers web enrollment without protection against relay.',
  needs: ['hasvulnerableendpoint'],
  find: (facts) => authoritiesWhere(facts, 'hasvulnerableendpoint', true),
} as const satisfies ListFindingType;
