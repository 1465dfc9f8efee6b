import type { EdgeDefinition } from '../edgeDefinition.ts';

export const OwnsRaw = {
  id: 21,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'control',
  phrase: 'is recorded as the owner of',
  meaning: 'The collector recorded it as the owner; Owns is derived where the owner can change rights.',
  removal: 'Give the object another owner.',
} as const satisfies EdgeDefinition;
