import { NodeSet } from '@clew/graph';
import { unconstrainedDelegation } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Suffix of Domain Controllers. */
const CONTROLLERS = '-516';

export const unconstrainedDelegationComputers = {
  kind: 'list',
  id: 'UnconstrainedDelegationComputers',
  title: 'Computers With Unconstrained Delegation',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: unconstrainedDelegation,
  remedy: {
    fix: 'Turn off unconstrained delegation for the computer, and let its services delegate only to specific services.',
  },
  what: 'An enabled computer that is not a domain controller is trusted for unconstrained delegation.',
  needs: ['unconstraineddelegation'],
  find: (facts) =>
    facts
      .enabled(facts.computers)
      .and(facts.is('unconstraineddelegation', true))
      .andNot(facts.controllers)
      // Older files do not mark controllers, but contain their group.
      .andNot(facts.membersOf(facts.withSuffix(facts.groups, CONTROLLERS))),
  // Principals that control the account.
  usedBy: ({ context }, account) => NodeSet.of(context.graph.nodeCount, [account]),
} as const satisfies ListFindingType;
