import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';
import { ADCSESC6a } from './ADCSESC6a.ts';

export const ADCSESC6b = { ...ADCSESC6a, id: 74, effort: TWO_REQUESTS } as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Like ADCSESC6a over Schannel: the template authenticates over Schannel, the security extension has',
    "no effect, and the domain's forest has UPN mapping.",
  ],
  removedBy: 'clearing the flag on the CA; removing bit 0x4 on **every** domain controller of the forest.',
};
