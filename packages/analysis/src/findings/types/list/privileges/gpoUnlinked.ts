import { groupPolicy } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const gpoUnlinked = {
  kind: 'list',
  id: 'GPOUnlinked',
  title: 'Unlinked Group Policies',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: groupPolicy,
  remedy: {
    risk: 'No one reviews the editors of a policy that is in force nowhere, and a single link puts all it holds into force.',
    fix: 'Back the policy up and delete it, or link it on purpose.',
    steps: [
      'Look for links to sites: collectors do not read them all.',
      'Ask the owner for the purpose of the policy, and back it up.',
      'Delete it.',
    ],
    verify: ['The policy is removed from the directory and its folder from SYSVOL.'],
    care: 'Templates that are kept for copying look unlinked, too. Keep them in a test domain or as backups.',
    prevent: 'Delete a policy together with its last link.',
  },
  what: 'A group policy is linked to no domain and no organizational unit.',
  needs: [],
  reads: { edges: ['GPLink'] },
  find: (facts) => facts.of('GPO').filter((policy) => facts.edges('GPLink').endsOf(policy).isEmpty),
} as const satisfies ListFindingType;
