import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const IssuedSignedBy = {
  id: 64,
  platform: 'ad',
  origin: 'derived',
  traits: [],
  category: 'certificates',
  phrase: 'is signed by',
  meaning: 'The certificate of one CA is signed by the other.',
  removal: 'Nothing to remove: it follows from the certificates.',
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'EnterpriseCA, RootCA or AIACA → its issuer: the nodes of these kinds whose `certthumbprint` is the',
    'second element of its `certchain`; never a certificate further up.',
  ],
  removedBy: 'nothing but a new certificate; structural.',
};
