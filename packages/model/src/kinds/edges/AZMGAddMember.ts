import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGAddMember = {
  id: 163,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudGraph',
  phrase: 'can add members to',
  meaning: 'An application permission lets it change members.',
  removal: APPLICATION_PERMISSION,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AZServicePrincipal → AZGroup known not to be role-assignable (Directory.ReadWrite.All,',
    'Group.ReadWrite.All, GroupMember.ReadWrite.All), or any group',
    '(RoleManagement.ReadWrite.Directory). In `clean` no group that is synchronized from Active Directory,',
    'whose members only change there.',
  ],
  source: 'released behavior.',
  removedBy: 'removing the permission.',
};
