import type { EdgeDefinition } from '../edgeDefinition.ts';

export const OwnsRaw = {
  id: 21,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'control',
  phrase: 'is recorded as the owner of',
  meaning: 'The collector saw it as the owner; Owns follows where the owner may change rights.',
  removal: 'Give the object another owner.',
} as const satisfies EdgeDefinition;
