import { roleAssignments } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { tierZeroUsers } from './common.ts';

export const azureT0GuestHolder = {
  kind: 'list',
  id: 'AzureT0GuestHolder',
  title: 'Guest With Tier Zero Role',
  ...classed({ platform: 'azure', category: 'EN', scope: 'tier-zero', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: roleAssignments,
  remedy: {
    risk: 'Another organization decides how the account is protected and who can reset it.',
    fix: 'Remove the role from the guest, and give the person a cloud-only account in your tenant.',
  },
  what: 'A guest user from another organization is in Tier Zero.',
  needs: ['usertype'],
  find: (facts) =>
    tierZeroUsers(facts).filter((node) => facts.text('usertype', node).toLowerCase() === 'guest'),
} as const satisfies ListFindingType;
