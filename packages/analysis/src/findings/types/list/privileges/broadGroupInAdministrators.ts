import { NodeSet } from '@clew/graph';
import { groupsOfEverybody } from '../../../largeGroups.ts';
import { largeGroups } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const broadGroupInAdministrators = {
  kind: 'list',
  id: 'BroadGroupInAdministrators',
  title: 'Nearly Everyone in a Group of Administrators',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'opening', floor: 'moderate' }),
  family: largeGroups,
  remedy: {
    risk: 'Nearly every account administers the computers or objects of this group, so one stolen password is enough.',
    fix: 'Remove the broad group from the administrator group, and leave the rights of the administrator group unchanged.',
    steps: [
      'Find out which member makes nearly everyone a member of the group.',
      'Add the people and services that really administer these computers to the group, with separate administrator accounts.',
      'Remove the broad group from the members.',
    ],
    verify: ['All direct and nested members of the group are administrator accounts.'],
    care: 'Someone without an administrator account may have used the membership: local administrators of the computers notice it first.',
    prevent: 'Review the members of administrator groups every quarter.',
  },
  what: 'A group that administers computers, or that Windows protects as privileged, contains a group of nearly everyone, directly or through nested groups.',
  needs: [],
  reads: { edges: ['MemberOf', 'AdminTo'], nodeProperties: ['admincount'] },
  find: (facts) => {
    const administrators = facts.edges('AdminTo');
    const isPrivileged = facts.is('admincount', true);
    return groupsOfEverybody(facts.context)
      .filter((group) => !facts.isEverybody(group))
      .filter((group) => isPrivileged.has(group) || !administrators.endsOf(group).isEmpty);
  },
  usedBy: (facts, group) => {
    const members = facts.edges('MemberOf').startsOf(group).without(group);
    return NodeSet.of(members.capacity, members.and(groupsOfEverybody(facts.context)));
  },
} as const satisfies ListFindingType;
