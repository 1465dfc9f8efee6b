/** type Cases of list findings about Azure resources. */
import { SID } from '../worlds.ts';
import { type Cases, cloudUsers, computer, members, ofKind } from './case.ts';

export const RESOURCES_CASES: Cases = {
  AzureUserAccessAdminRoot: {
    things: [
      ['ROOT', 'AZManagementGroup'],
      ['INNER', 'AZManagementGroup'],
      ['BAD', 'AZUser'],
      ['GOOD', 'AZUser'],
    ],
    facts: [
      ['ROOT', 'AZContains', 'INNER'],
      ['BAD', 'AZUserAccessAdministrator', 'ROOT'],
      ['GOOD', 'AZUserAccessAdministrator', 'INNER'],
    ],
    finds: ['BAD'],
    not: ['GOOD'],
  },
  AzureSubscriptionManyOwners: {
    things: [['BAD', 'AZSubscription'], ['GOOD', 'AZSubscription'], ...cloudUsers(4)],
    facts: [
      ...members('BAD', 'AZOwner', ['U0', 'U1', 'U2', 'U3']),
      ...members('GOOD', 'AZOwner', ['U0', 'U1', 'U2']),
    ],
    finds: ['BAD'],
    not: ['GOOD'],
  },
  AzureDirectUserAssignment: {
    things: [
      ['VM', 'AZVM'],
      ['BAD', 'AZUser'],
      ['GOOD', 'AZUser'],
      ['G', 'AZGroup'],
    ],
    facts: [
      ['BAD', 'AZContributor', 'VM'],
      ['GOOD', 'AZMemberOf', 'G'],
      ['G', 'AZOwner', 'VM'],
    ],
    finds: ['BAD'],
    not: ['GOOD', 'G'],
  },
  AzureKeyVaultAccessPolicies: ofKind('AZKeyVault')(
    { enablerbacauthorization: false },
    { enablerbacauthorization: true },
  ),
  AzureVMPrivilegedIdentity: {
    things: [
      ['BAD', 'AZVM'],
      ['GOOD', 'AZVM'],
      ['APP', 'AZWebApp'],
      ['SP', 'AZServicePrincipal'],
      ['LOW', 'AZServicePrincipal'],
    ],
    facts: [
      ['BAD', 'AZManagedIdentity', 'SP'],
      ['APP', 'AZManagedIdentity', 'SP'],
      ['GOOD', 'AZManagedIdentity', 'LOW'],
    ],
    tierZero: ['SP'],
    finds: ['BAD'],
    not: ['GOOD', 'APP'],
  },
  AzureAutomationPrivilegedIdentity: {
    things: [
      ['BAD', 'AZAutomationAccount'],
      ['GOOD', 'AZLogicApp'],
      ['VM', 'AZVM'],
      ['SP', 'AZServicePrincipal'],
      ['LOW', 'AZServicePrincipal'],
    ],
    facts: [
      ['BAD', 'AZManagedIdentity', 'SP'],
      ['VM', 'AZManagedIdentity', 'SP'],
      ['GOOD', 'AZManagedIdentity', 'LOW'],
    ],
    tierZero: ['SP'],
    finds: ['BAD'],
    not: ['GOOD', 'VM'],
  },
  AzureDCInCloudUnprotected: {
    things: [
      computer('DC', { name: 'DC1.CORP.LOCAL', samaccountname: 'DC1$' }),
      ['BAD', 'AZVM', { name: 'dc1' }],
      ['SAFE', 'AZVM', { name: 'DC1' }],
      ['GOOD', 'AZVM', { name: 'WEB1' }],
    ],
    facts: [['DC', 'DCFor', SID]],
    tierZero: ['SAFE'],
    finds: ['BAD'],
    not: ['SAFE', 'GOOD'],
  },
};
