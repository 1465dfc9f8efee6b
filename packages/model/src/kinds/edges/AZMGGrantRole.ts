import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGGrantRole = {
  id: 167,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudGraph',
  phrase: 'can grant roles in',
  meaning: 'It can assign directory roles to itself.',
  removal: APPLICATION_PERMISSION,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['AZServicePrincipal → every AZRole of the tenant, through RoleManagement.ReadWrite.Directory.'],
  source: 'released behavior.',
  removedBy: 'removing the permission.',
};
