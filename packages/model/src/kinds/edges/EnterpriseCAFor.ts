import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const EnterpriseCAFor = {
  id: 65,
  platform: 'ad',
  origin: 'derived',
  traits: [],
  category: 'certificates',
  phrase: 'has the certificate of',
  meaning: 'Both objects have the same certificate.',
  removal: 'Nothing to remove: it follows from the certificates.',
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'EnterpriseCA → RootCA and AIACA with the same `certthumbprint`: the same certificate seen from',
    'three containers.',
  ],
  removedBy: 'structural.',
};
