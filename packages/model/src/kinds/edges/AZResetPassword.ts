import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { RIGHT_THEN_USE } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZResetPassword = {
  id: 168,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudControl',
  phrase: 'can reset the password of',
  meaning: 'It can set a new password without knowing the old one.',
  removal: ROLE_ASSIGNMENT,
  effort: RIGHT_THEN_USE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AZRole → AZUser: Global Administrator, Privileged Authentication Administrator and Partner Tier2',
    'Support can reset everyone. User, Helpdesk, Authentication and Password Administrator and Partner',
    'Tier1 Support can reset users whose roles are all in the list of that role and who are not directly',
    'in a role-assignable group; in `clean`, they also cannot reset owners of one, whom Entra ID protects, too.',
    'In `clean`, only roles for a restricted management administrative unit reset its members, if a collection',
    'names these (AzureHound does not).',
  ],
  source: "vendor's tables of who can reset whom, and of restricted management administrative units.",
  removedBy:
    'adding the user to a role-assignable group or a restricted management administrative unit; scoping or removing the role.',
};
