import { groupPolicy } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const gpoUnlinked = {
  kind: 'list',
  id: 'GPOUnlinked',
  title: 'Unlinked Group Policies',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: groupPolicy,
  remedy: {
    risk: 'No one reviews the editors of a policy without links, but a single link applies all its settings.',
    fix: 'Back up the policy and delete it, or link it if it is needed.',
    steps: [
      'Check links to sites: collectors do not read all of them.',
      'Ask the owner about the purpose of the policy, and back it up.',
      'Delete it.',
    ],
    verify: ['The policy is removed from the directory, and its folder from SYSVOL.'],
    care: 'Policies that serve only as templates look unlinked, too. Keep them in a test domain or as backups.',
    prevent: 'When you remove the last link of a policy, delete the policy, too.',
  },
  what: 'A group policy is not linked to a domain or organizational unit.',
  needs: [],
  reads: { edges: ['GPLink'] },
  find: (facts) => facts.of('GPO').filter((policy) => facts.edges('GPLink').endsOf(policy).isEmpty),
} as const satisfies ListFindingType;
