import { roleAssignments } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { rolesWithout, TIER_ZERO_SAFEGUARD } from './common.ts';

export const azureT0RoleActivationNoMFA = {
  kind: 'list',
  id: 'AzureT0RoleActivationNoMFA',
  title: 'Tier Zero Role Activation Does Not Require MFA',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'moderate',
  family: roleAssignments,
  remedy: {
    risk: 'Anyone with a session of an eligible account can activate the role without further proof.',
    fix: 'In the settings of the role, require an authentication context with phishing-resistant authentication on activation, or at least multifactor authentication.',
  },
  what: 'A Tier Zero role can be activated without multifactor authentication or an authentication context.',
  needs: ['enduserassignmentrequiresmfa'],
  reads: { nodeProperties: ['enduserassignmentrequirescapauthenticationcontext'] },
  // The settings of a role allow only one of both requirements.
  find: (facts) =>
    rolesWithout(facts, 'enduserassignmentrequiresmfa').andNot(
      facts.is('enduserassignmentrequirescapauthenticationcontext', true),
    ),
} as const satisfies ListFindingType;
