import { NodeSet } from '@clew/graph';
import { unconstrainedDelegation } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const unconstrainedDelegationUsers = {
  kind: 'list',
  id: 'UnconstrainedDelegationUsers',
  title: 'Users With Unconstrained Delegation',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: unconstrainedDelegation,
  remedy: {
    fix: 'Turn off unconstrained delegation for the account, and replace it with a group managed service account.',
  },
  what: 'An enabled user account is trusted for unconstrained delegation.',
  needs: ['unconstraineddelegation'],
  find: (facts) => facts.enabled(facts.users).and(facts.is('unconstraineddelegation', true)),
  // Principals that control the account.
  usedBy: ({ context }, account) => NodeSet.of(context.graph.nodeCount, [account]),
} as const satisfies ListFindingType;
