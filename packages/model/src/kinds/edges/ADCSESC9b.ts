import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';
import { TEMPLATE_ENROLLMENT } from '../removals.ts';

export const ADCSESC9b = {
  id: 76,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: "can get a certificate in another's name in",
  meaning: 'Certificates without the security extension are mapped by name.',
  removal: TEMPLATE_ENROLLMENT,
  effort: TWO_REQUESTS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Like ADCSESC9a for computers as victims and templates that name the holder by DNS name. Feature',
    '`adcs_esc9`.',
  ],
  removedBy: 'as ADCSESC9a.',
};
