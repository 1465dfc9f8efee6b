import { applicationOwnership } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { holdersOfTierZeroRoles, TIER_ZERO_SAFEGUARD } from './common.ts';

export const azureT0ServicePrincipalHolder = {
  kind: 'list',
  id: 'AzureT0ServicePrincipalHolder',
  title: 'Service Principal Holding Tier Zero Role',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'moderate',
  family: applicationOwnership,
  remedy: {
    risk: 'Anyone who holds a secret of the application has the role, without multifactor authentication and without a user signing in.',
    fix: 'Replace the role with the narrowest permission that is sufficient, or protect the application like an administrator.',
  },
  what: 'A service principal holds a Tier Zero role.',
  needs: [],
  reads: { edges: ['AZHasRole'] },
  find: (facts) => holdersOfTierZeroRoles(facts).and(facts.of('AZServicePrincipal')),
} as const satisfies ListFindingType;
