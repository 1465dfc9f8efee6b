import type { EdgeDefinition } from '../edgeDefinition.ts';

export const RootCAFor = {
  id: 61,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'certificates',
  phrase: 'is a root CA of',
  meaning: 'The domain trusts certificates that lead to this root.',
  removal:
    'Remove the certificate from the root CAs of the forest after nothing depends on it: all computers will stop trusting certificates that it signed.',
} as const satisfies EdgeDefinition;
