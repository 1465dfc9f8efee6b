import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { RELAYED_CALL } from '../efforts.ts';
import { RELAY_PROTECTION } from '../removals.ts';

export const CoerceAndRelayNTLMToADCS = {
  id: 82,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'relay',
  phrase: 'can relay the authentication, and get a certificate, of',
  meaning: 'Authentication of the computer can be relayed to a CA.',
  removal: RELAY_PROTECTION,
  effort: RELAYED_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Authenticated Users of each chained domain → Computer: the computer can be coerced',
    '(`restrictoutboundntlm` is false, and it is not in Protected Users of a domain on a level above',
    '2012), and can enroll in a template that authenticates, needs neither approval nor signature, at',
    'an active authority with a web enrollment endpoint that accepts relayed authentication (ESC8), or',
    'that takes requests over RPC without encryption (ESC11: `rpcencryptionenforced` is false). No',
    'released collector writes that property, which uploads of other tools may; missing, it proves',
    'nothing. ESC11 is ours: `CLEW_RULES=parity` derives it not. `GET /api/v2/graphs/relay-targets`',
    'names these authorities. Feature `ntlm_post_processing`.',
  ],
  removedBy: [
    'disabling web enrollment, or HTTPS with channel binding; the flag IF_ENFORCEENCRYPTICERTREQUEST',
    'for ESC11; restricting outgoing NTLM; Protected Users.',
  ],
};
