import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';

export const ADCSESC10a = {
  id: 77,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: "can get a certificate in another's name in",
  meaning: 'Domain controllers with weak certificate mapping accept the name as the identity.',
  removal:
    'Set strong certificate mapping on the domain controllers, once events 39 to 41 name no certificate in use.',
  effort: TWO_REQUESTS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Like ADCSESC9a over Schannel: the template authenticates over Schannel, the security extension has',
    "no effect, and the domain's forest has UPN mapping.",
  ],
  removedBy:
    'removing bit 0x4 on every domain controller of the forest; removing write access to the victims.',
};
