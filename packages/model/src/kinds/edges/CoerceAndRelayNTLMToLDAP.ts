import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { RELAYED_CALL } from '../efforts.ts';
import { RELAY_PROTECTION } from '../removals.ts';

export const CoerceAndRelayNTLMToLDAP = {
  id: 83,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'relay',
  phrase: 'can relay to the directory the authentication of',
  meaning: 'Authentication of the computer can be relayed to a domain controller.',
  removal: RELAY_PROTECTION,
  effort: RELAYED_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    "Authenticated Users of the computer's domain → Computer that can be coerced and runs WebClient,",
    'when another domain controller of the domain offers LDAP and is known not to require signing. The',
    'edge points at the coerced computer. Feature `ntlm_post_processing` (on).',
  ],
  source: 'released behavior.',
  removedBy: 'requiring LDAP signing on every domain controller; disabling WebClient.',
};
