import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { notEmpty } from './common.ts';

export const remoteLaunchGroupsUsed = {
  kind: 'list',
  id: 'RemoteLaunchGroupsUsed',
  title: 'Distributed COM or Performance Log Users of the Domain Not Empty',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: zoneMembership,
  remedy: {
    risk: 'These groups of the domain count on its controllers: members may start COM programs there from far away, or record traces and write their files.',
    fix: 'Remove the members, and let monitoring use local groups of the servers that it watches.',
    steps: [
      'Ask the owner of each member, mostly monitoring or inventory software, whether it has to watch domain controllers.',
      'For other servers than controllers, add the account to the local group of the same name there, by policy.',
      'For controllers, give the software an account of Tier Zero of its own, or its agent.',
      'Remove the member from the group of the domain.',
    ],
    verify: ['The group of the domain has no members, and the monitoring still shows its values.'],
    care: 'Monitoring and inventory of domain controllers over WMI or performance counters stops for the removed account.',
  },
  what: 'Distributed COM Users or Performance Log Users of the domain has members.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => notEmpty(facts, facts.withSuffix(facts.groups, '-S-1-5-32-562', '-S-1-5-32-559')),
} as const satisfies ListFindingType;
