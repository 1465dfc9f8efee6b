import type { EdgeDefinition } from '../edgeDefinition.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGAppRoleAssignment_ReadWrite_All = {
  id: 157,
  platform: 'azure',
  origin: 'collected',
  traits: [],
  category: 'cloudGraph',
  phrase: 'has AppRoleAssignment.ReadWrite.All in',
  meaning: 'An application permission to grant application permissions.',
  removal: APPLICATION_PERMISSION,
} as const satisfies EdgeDefinition;
