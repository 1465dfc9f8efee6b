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
    risk: 'Nearly every account administers what the group administers, and one stolen password is enough.',
    fix: 'Remove the group of nearly everyone from the group of administrators, and leave the rights of that group as they are.',
    steps: [
      'Find out through which member nearly everyone belongs to the group.',
      'Add the persons and services that really administer these computers to the group, with accounts for that.',
      'Remove the group of nearly everyone from the members.',
    ],
    verify: ['The members of the group, at any depth, are accounts of administrators.'],
    care: 'Someone without an account for administration may have worked with the membership: local administrators of the computers see it first.',
    prevent: 'Review the members of groups of administrators each quarter.',
  },
  what: 'A group that administers computers, or that Windows protects as privileged, contains a group of nearly everyone, at some depth.',
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
