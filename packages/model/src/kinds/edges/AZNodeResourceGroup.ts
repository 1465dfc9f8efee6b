import type { EdgeDefinition } from '../edgeDefinition.ts';
import { REMOTE_ADMINISTRATION } from '../efforts.ts';

export const AZNodeResourceGroup = {
  id: 139,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable'],
  category: 'cloudStructure',
  phrase: 'runs its nodes in',
  meaning: 'The cluster manages the resources of the group.',
  removal: 'Keep other workloads out of that resource group.',
  effort: REMOTE_ADMINISTRATION,
} as const satisfies EdgeDefinition;
