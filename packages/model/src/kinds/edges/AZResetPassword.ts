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
  ],
  source: "vendor's table of who can reset whom.",
  removedBy: 'adding the user to a role-assignable group; scoping or removing the role.',
};
