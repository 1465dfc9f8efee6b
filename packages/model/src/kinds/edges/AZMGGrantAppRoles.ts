import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGGrantAppRoles = {
  id: 166,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudGraph',
  phrase: 'can grant permissions in',
  meaning: 'It can grant itself application permissions.',
  removal: APPLICATION_PERMISSION,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AZServicePrincipal → AZTenant, through AppRoleAssignment.ReadWrite.All or',
    'RoleManagement.ReadWrite.Directory.',
  ],
  source: 'released behavior.',
  removedBy: 'removing the permission.',
};
