import { applicationOwnership } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { TIER_ZERO_SAFEGUARD, tierZeroApps } from './common.ts';

export const azureT0MultiTenantApp = {
  kind: 'list',
  id: 'AzureT0MultiTenantApp',
  title: 'Tier Zero Application Open to Other Tenants',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'moderate',
  family: applicationOwnership,
  remedy: {
    risk: 'Users and administrators of other tenants can sign in to an application that is privileged in yours.',
    fix: 'Set the supported account types of the application to this organization only.',
    care: 'Partners who sign in to the application from their own tenants need guest accounts.',
  },
  what: 'A Tier Zero application accepts sign-ins from other tenants.',
  needs: ['signinaudience'],
  find: (facts) =>
    tierZeroApps(facts).filter((node) => {
      const audience = facts.text('signinaudience', node);
      return audience !== '' && audience !== 'AzureADMyOrg';
    }),
} as const satisfies ListFindingType;
