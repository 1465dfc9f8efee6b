import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const TrustedForNTAuth = {
  id: 66,
  platform: 'ad',
  origin: 'derived',
  traits: [],
  category: 'certificates',
  phrase: 'is trusted for sign-in by',
  meaning: 'Certificates of the CA can be used to sign in to the domains of the store.',
  removal:
    'Remove the certificate of the CA from the NTAuth store, after none of its certificates is used for logon.',
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ["EnterpriseCA → NTAuthStore: the `certthumbprints` of the store contain the CA's `certthumbprint`."],
  removedBy: 'removing the certificate from the NTAuthCertificates object.',
};
