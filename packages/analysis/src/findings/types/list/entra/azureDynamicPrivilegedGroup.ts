import { roleAssignableGroups } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureDynamicPrivilegedGroup = {
  kind: 'list',
  id: 'AzureDynamicPrivilegedGroup',
  title: 'Privileged Group With Dynamic Membership',
  ...classed({ platform: 'azure', category: 'EN', scope: 'tier-zero', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: roleAssignableGroups,
  remedy: {
    risk: 'Anyone who can edit the attributes in the rule decides who becomes a member.',
    fix: 'Replace the rule with assigned members.',
    steps: [
      'List who can edit the attributes in the rule, including through self-service and synchronization.',
      'Create a role-assignable group with assigned members, and move the assignments to it.',
      'Remove the assignments from the dynamic group.',
    ],
    verify: ['The group that holds the privilege has no membership rule.'],
  },
  what: 'A membership rule decides who belongs to a Tier Zero group.',
  needs: ['membershiprule'],
  find: (facts) =>
    facts
      .of('AZGroup')
      .and(facts.tierZero)
      .filter((node) => facts.text('membershiprule', node) !== ''),
} as const satisfies ListFindingType;
