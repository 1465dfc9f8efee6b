import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ADCSESC9a } from './ADCSESC9a.ts';

export const ADCSESC9b = { ...ADCSESC9a, id: 76 } as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Like ADCSESC9a for computers as victims and templates that contain the DNS name of the holder. Feature',
    '`adcs_esc9`.',
  ],
  removedBy: 'as ADCSESC9a.',
};
