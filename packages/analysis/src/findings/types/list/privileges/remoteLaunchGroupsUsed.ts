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
    risk: 'The groups of the domain apply on domain controllers: members can start COM programs there remotely, or record traces and write trace files.',
    fix: 'Remove the members, and use the local groups of the monitored servers instead.',
    steps: [
      'Ask the owner of each member, usually monitoring or inventory software, whether it has to monitor domain controllers.',
      'For other servers, use policy to add the account to the local group with the same name.',
      'For domain controllers, give the software a separate Tier Zero account, or install its agent.',
      'Remove the member from the domain group.',
    ],
    verify: ['The domain group has no members, and monitoring still shows values.'],
    care: 'For the removed account, monitoring and inventory of domain controllers over WMI or performance counters stop.',
  },
  what: 'Distributed COM Users or Performance Log Users of the domain has members.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => notEmpty(facts, facts.withSuffix(facts.groups, '-S-1-5-32-562', '-S-1-5-32-559')),
} as const satisfies ListFindingType;
