import type { EdgeDefinition } from '../edgeDefinition.ts';

export const AZScopedTo = {
  id: 178,
  platform: 'azure',
  origin: 'collected',
  traits: [],
  category: 'cloudStructure',
  phrase: 'is scoped to',
  meaning: 'The role applies only within this scope.',
  removal: 'Remove the role assignment at this scope.',
} as const satisfies EdgeDefinition;
