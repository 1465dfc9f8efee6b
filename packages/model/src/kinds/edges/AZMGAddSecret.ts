import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGAddSecret = {
  id: 165,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudGraph',
  phrase: 'can add a secret to',
  meaning: 'An application permission lets it add credentials.',
  removal: APPLICATION_PERMISSION,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AZServicePrincipal → AZApp or AZServicePrincipal of the tenant, through Application.ReadWrite.All',
    'or RoleManagement.ReadWrite.Directory. In `clean` not managed identities, as for AZAddSecret.',
  ],
  source: 'released behavior.',
  removedBy: 'removing the permission.',
};
