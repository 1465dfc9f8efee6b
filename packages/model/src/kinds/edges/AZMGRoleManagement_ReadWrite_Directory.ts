import type { EdgeDefinition } from '../edgeDefinition.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGRoleManagement_ReadWrite_Directory = {
  id: 161,
  platform: 'azure',
  origin: 'collected',
  traits: [],
  category: 'cloudGraph',
  phrase: 'has RoleManagement.ReadWrite.Directory in',
  meaning: 'An application permission to assign directory roles.',
  removal: APPLICATION_PERMISSION,
} as const satisfies EdgeDefinition;
