import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';

export const ADCSESC10b = {
  id: 78,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: "can get a certificate in another's name in",
  meaning: 'Controllers that map certificates weakly take the name for the identity.',
  removal:
    'Set strong certificate mapping on the domain controllers, once events 39 to 41 name no certificate in use.',
  effort: TWO_REQUESTS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['Like ADCSESC10a for computers as victims and templates that name the holder by DNS name.'],
  removedBy: 'as ADCSESC10a.',
};
