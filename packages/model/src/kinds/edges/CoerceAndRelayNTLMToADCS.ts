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
    'an active CA with a web enrollment endpoint that accepts relayed authentication (ESC8), or',
    'that accepts requests over RPC without encryption (ESC11: `rpcencryptionenforced` is false). No',
    'released collector writes this property, but uploads of other tools may contain it; if it is missing, it proves',
    'nothing. ESC11 is our addition: `CLEW_RULES=parity` does not derive it. `GET /api/v2/graphs/relay-targets`',
    'returns these CAs. Feature `ntlm_post_processing`.',
  ],
  removedBy: [
    'disabling web enrollment, or HTTPS with channel binding; the flag IF_ENFORCEENCRYPTICERTREQUEST',
    'for ESC11; restricting outgoing NTLM; Protected Users.',
  ],
};
