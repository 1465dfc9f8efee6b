import type { EdgeDefinition } from '../edgeDefinition.ts';

export const LocalToComputer = {
  id: 48,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'structure',
  phrase: 'is a local group of',
  meaning: 'The group exists only on that computer.',
  removal: 'Remove the group from the computer, unless it is built in.',
} as const satisfies EdgeDefinition;
