import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { FORGERY } from '../efforts.ts';

export const HasTrustKeys = {
  id: 55,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'trusts',
  phrase: 'holds the trust keys of',
  meaning: 'The keys of a trust can be used to forge tickets for the other domain.',
  removal: 'None: protect the domain that stores the keys.',
  effort: FORGERY,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Domain → User: the domain, whose NetBIOS name is known, trusts another one in which the user is',
    'the trust account (`NETBIOS$`).',
  ],
  source: 'released behavior.',
  removedBy: 'removing the trust, or the rights of the trust account.',
};
