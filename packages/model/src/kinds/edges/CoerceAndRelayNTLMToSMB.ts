import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { RELAYED_CALL } from '../efforts.ts';
import { RELAY_PROTECTION } from '../removals.ts';

export const CoerceAndRelayNTLMToSMB = {
  id: 81,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'relay',
  phrase: 'can relay the authentication of another computer to',
  meaning: 'Authentication of one computer can be relayed to another.',
  removal: RELAY_PROTECTION,
  effort: RELAYED_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    "Authenticated Users of the computer's domain → Computer: SMB signing is known not to be required,",
    'and another computer that can be coerced administers it, directly or through groups. *Can be',
    'coerced*: outgoing NTLM is known not to be restricted, and the computer is not in Protected Users',
    'of a domain that enforces it (functional level above 2012). Feature `ntlm_post_processing` (on).',
  ],
  source: 'released behavior.',
  removedBy: [
    'requiring SMB signing; removing computer accounts from local Administrators; restricting outgoing',
    'NTLM.',
  ],
};
