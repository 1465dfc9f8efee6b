import type { EdgeDefinition } from '../edgeDefinition.ts';
import { REMOTE_ADMINISTRATION } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZVMAdminLogin = {
  id: 147,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureExecution'],
  category: 'cloudResources',
  phrase: 'signs in as administrator on',
  meaning: 'It can sign in to the virtual machine as an administrator.',
  removal: ROLE_ASSIGNMENT,
  effort: REMOTE_ADMINISTRATION,
} as const satisfies EdgeDefinition;
