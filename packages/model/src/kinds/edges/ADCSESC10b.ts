import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ADCSESC10a } from './ADCSESC10a.ts';

export const ADCSESC10b = { ...ADCSESC10a, id: 78 } as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['Like ADCSESC10a for computers as victims and templates that contain the DNS name of the holder.'],
  removedBy: 'as ADCSESC10a.',
};
