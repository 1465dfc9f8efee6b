import type { EdgeDefinition } from '../edgeDefinition.ts';
import { RIGHT_THEN_USE } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZKeyVaultContributor = {
  id: 152,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl'],
  category: 'cloudResources',
  phrase: 'manages the vault',
  meaning: 'It can change who reads the vault.',
  removal: ROLE_ASSIGNMENT,
  effort: RIGHT_THEN_USE,
} as const satisfies EdgeDefinition;
