import { synchronization } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { tierZeroUsers } from './common.ts';

export const azureT0SyncedUser = {
  kind: 'list',
  id: 'AzureT0SyncedUser',
  title: 'Tier Zero Cloud User Synchronized From AD',
  ...classed({
    platform: 'azure',
    category: 'HY',
    scope: 'tier-zero',
    nature: 'safeguard',
    floor: 'moderate',
  }),
  family: synchronization,
  remedy: {
    risk: 'Anyone who controls the user in Active Directory, or the synchronization, controls the role in the cloud.',
    fix: 'Move the role to a cloud-only account of the same person.',
  },
  what: 'A Tier Zero user in Entra ID is synchronized from Active Directory.',
  needs: ['onpremsyncenabled'],
  find: (facts) => tierZeroUsers(facts).and(facts.is('onpremsyncenabled', true)),
} as const satisfies ListFindingType;
