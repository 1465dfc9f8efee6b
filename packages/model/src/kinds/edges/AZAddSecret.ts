import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZAddSecret = {
  id: 169,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudControl',
  phrase: 'can add a secret to',
  meaning: 'It can add a secret and use it to sign in as the application.',
  removal: ROLE_ASSIGNMENT,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AZRole → AZApp or AZServicePrincipal: Application Administrator and Cloud Application',
    'Administrator. In `clean` not to managed identities (`serviceprincipaltype`), whose credentials',
    'Entra ID manages itself.',
  ],
  source: 'released behavior.',
  removedBy: 'scoping the role to individual applications; locking properties of application instances.',
};
