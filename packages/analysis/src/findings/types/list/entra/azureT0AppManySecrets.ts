import { applicationOwnership } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { TIER_ZERO_SAFEGUARD, tierZeroApps } from './common.ts';

export const azureT0AppManySecrets = {
  kind: 'list',
  id: 'AzureT0AppManySecrets',
  title: 'Tier Zero Application With Several Secrets',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'low',
  family: applicationOwnership,
  remedy: {
    risk: 'Each credential is another copy that can leak, and no one knows which of them is in use.',
    fix: 'Remove the credentials that are not in use; two are needed only during a rotation.',
  },
  what: 'A Tier Zero application has more than two valid credentials.',
  needs: ['validcredentialcount'],
  find: (facts) =>
    tierZeroApps(facts).filter((node) => (facts.number('validcredentialcount', node) ?? 0) > 2),
} as const satisfies ListFindingType;
