import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { RELAYED_CALL } from '../efforts.ts';
import { RELAY_PROTECTION } from '../removals.ts';

export const CoerceAndRelayNTLMToLDAPS = {
  id: 84,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'relay',
  phrase: 'can relay to the directory the authentication of',
  meaning: 'Authentication of the computer is handed on to a controller.',
  removal: RELAY_PROTECTION,
  effort: RELAYED_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Like CoerceAndRelayNTLMToLDAP, when another domain controller offers LDAPS and is known not to',
    'require channel binding. Feature `ntlm_post_processing` (on).',
  ],
  source: 'released behavior.',
  removedBy: 'requiring channel binding on every domain controller; disabling WebClient.',
};
