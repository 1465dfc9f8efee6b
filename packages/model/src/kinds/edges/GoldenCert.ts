import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { FORGERY } from '../efforts.ts';

export const GoldenCert = {
  id: 69,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: 'holds the key that signs for',
  meaning: 'With the key of the CA, any certificate of the domain can be forged.',
  removal: 'Protect the computer of the CA like a domain controller.',
  effort: FORGERY,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Computer → Domain: a qualifying host of an active CA, to each chained domain. The host',
    "stores the CA's private key.",
  ],
  removedBy: [
    'nothing while the CA is active: treat the host as Tier Zero, store the key in a hardware',
    'security module, restrict administrators.',
  ],
};
