import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { RIGHT_THEN_USE } from '../efforts.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGAddOwner = {
  id: 164,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudGraph',
  phrase: 'can add owners to',
  meaning: 'An application permission lets it change owners.',
  removal: APPLICATION_PERMISSION,
  effort: RIGHT_THEN_USE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AZServicePrincipal → applications and service principals (Application.ReadWrite.All,',
    'RoleManagement.ReadWrite.Directory), service principals (ServicePrincipalEndpoint.ReadWrite.All),',
    'groups known not to be role-assignable (Directory.ReadWrite.All, Group.ReadWrite.All) or all',
    'groups (RoleManagement.ReadWrite.Directory). In `clean` no group that is synchronized from Active',
    'Directory, whose owners cannot change its members.',
  ],
  source: 'released behavior.',
  removedBy: 'removing the permission.',
};
