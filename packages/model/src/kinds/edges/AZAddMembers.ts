import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZAddMembers = {
  id: 171,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudControl',
  phrase: 'can add members to',
  meaning: 'It can make itself a member.',
  removal: ROLE_ASSIGNMENT,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AZUser or AZServicePrincipal → AZGroup: effective members of Global or Privileged Role',
    'Administrator can change every group; those of Groups, User, Identity Governance, Intune and Knowledge',
    'Administrator, Directory Writers and Knowledge Manager can change groups known not to be',
    'role-assignable. In `clean` not groups that are synchronized from Active Directory (`onpremsyncenabled`),',
    'whose members only change there, nor groups of restricted management administrative units, except with a role',
    'for the unit.',
  ],
  source: 'released behavior.',
  removedBy: 'removing the role; making the group role-assignable.',
};
