import { applicationOwnership } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { TIER_ZERO_SAFEGUARD, tierZeroApps } from './common.ts';

export const azureT0AppLongSecret = {
  kind: 'list',
  id: 'AzureT0AppLongSecret',
  title: 'Long-Lived Secret on Tier Zero Application',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'moderate',
  family: applicationOwnership,
  remedy: {
    risk: 'A leaked secret stays valid for years.',
    fix: 'Replace the secret with a managed identity, a federated credential or a certificate that is valid for a few months.',
  },
  what: 'A credential of a Tier Zero application is valid for more than a year.',
  needs: ['longestcredentialdays'],
  find: (facts) =>
    tierZeroApps(facts).filter((node) => (facts.number('longestcredentialdays', node) ?? 0) > 365),
} as const satisfies ListFindingType;
