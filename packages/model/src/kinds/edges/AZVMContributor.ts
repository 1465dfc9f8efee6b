import type { EdgeDefinition } from '../edgeDefinition.ts';
import { REMOTE_ADMINISTRATION } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZVMContributor = {
  id: 145,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl', 'azureExecution'],
  category: 'cloudResources',
  phrase: 'manages the machine',
  meaning: 'It can run commands on the virtual machine.',
  removal: ROLE_ASSIGNMENT,
  effort: REMOTE_ADMINISTRATION,
} as const satisfies EdgeDefinition;
