import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { CoerceAndRelayNTLMToLDAP } from './CoerceAndRelayNTLMToLDAP.ts';

export const CoerceAndRelayNTLMToLDAPS = {
  ...CoerceAndRelayNTLMToLDAP,
  id: 84,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Like CoerceAndRelayNTLMToLDAP, when another domain controller offers LDAPS and is known not to',
    'require channel binding. Feature `ntlm_post_processing` (on).',
  ],
  source: 'released behavior.',
  removedBy: 'requiring channel binding on every domain controller; disabling WebClient.',
};
