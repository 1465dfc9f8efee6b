import type { EdgeDefinition } from '../edgeDefinition.ts';

export const PublishedTo = {
  id: 59,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'certificates',
  phrase: 'is published to',
  meaning: 'The CA issues certificates of the template.',
  removal: 'Remove the template from the CA.',
} as const satisfies EdgeDefinition;
