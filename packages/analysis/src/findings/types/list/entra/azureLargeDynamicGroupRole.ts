import { roleAssignments } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

const LARGE_GROUP = 50;

export const azureLargeDynamicGroupRole = {
  kind: 'list',
  id: 'AzureLargeDynamicGroupRole',
  title: 'Role Held by a Very Large Group',
  ...classed({ platform: 'azure', category: 'EN', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: roleAssignments,
  remedy: {
    risk: 'Each member is an attack path to the role, and no one reviews the members of such a large group.',
    fix: 'Remove the role from the group, and make a few people eligible for the role.',
  },
  what: 'A group with more than fifty members holds a Tier Zero role.',
  needs: [],
  reads: { edges: ['AZHasRole', 'AZRoleEligible', 'AZMemberOf'] },
  find: (facts) =>
    facts
      .edges('AZHasRole', 'AZRoleEligible')
      .startsOfAny(facts.of('AZRole').and(facts.tierZero))
      .and(facts.of('AZGroup'))
      .filter((group) => facts.edges('AZMemberOf').startsOf(group).size > LARGE_GROUP),
} as const satisfies ListFindingType;
