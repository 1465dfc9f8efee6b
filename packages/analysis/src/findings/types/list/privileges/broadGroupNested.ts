import { NodeSet, objectIdOf } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { LARGE_DEFAULT_GROUPS } from '../../../largeGroups.ts';
import { largeGroups } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Relative ids below 1000 are reserved for Windows. */
function isMadeByPeople(facts: FindingFacts, group: number): boolean {
  const [, relative] = /^S-1-5-21-\d+-\d+-\d+-(\d+)$/.exec(objectIdOf(facts.context.graph, group)) ?? [];
  return relative !== undefined && Number(relative) >= 1000;
}

export const broadGroupNested = {
  kind: 'list',
  id: 'BroadGroupNested',
  title: 'Nearly Everyone in an Ordinary Group',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: largeGroups,
  remedy: {
    risk: 'Rights that seem to be held by a small group are held by nearly every account.',
    fix: 'Add the principals that need the rights to the group, then remove the default group.',
  },
  what: 'A group created by administrators has a group of nearly everyone as a member.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => {
    const members = facts.edges('MemberOf');
    const broad = facts.withSuffix(facts.groups, ...LARGE_DEFAULT_GROUPS);
    const containers = [...broad].map((group) => members.endsOf(group));
    return NodeSet.union(broad.capacity, containers)
      .and(facts.groups)
      .filter((group) => isMadeByPeople(facts, group));
  },
} as const satisfies ListFindingType;
