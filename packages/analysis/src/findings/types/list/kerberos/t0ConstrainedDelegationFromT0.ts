import { delegation } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const t0ConstrainedDelegationFromT0 = {
  kind: 'list',
  id: 'T0ConstrainedDelegationFromT0',
  title: 'Delegation Configured on Tier Zero Account',
  ...classed({ platform: 'ad', category: 'KR', scope: 'tier-zero', nature: 'safeguard', floor: 'low' }),
  family: delegation,
  remedy: {
    fix: 'Remove delegation from the privileged account, and run the service that needs it under a separate account.',
    steps: [
      'Find the service that runs under the privileged account, and its owner.',
      'Run the service under a group managed service account without other privileges, and delegate only to the services that it needs.',
      'Clear msDS-AllowedToDelegateTo of the privileged account.',
    ],
  },
  what: 'A Tier Zero account that is not a domain controller delegates to other services.',
  needs: ['allowedtodelegate'],
  reads: { edges: ['AllowedToDelegate'] },
  find: (facts) =>
    facts.users
      .or(facts.computers)
      .and(facts.tierZero)
      .andNot(facts.controllers)
      .filter(
        (node) =>
          facts.texts('allowedtodelegate', node).length > 0 ||
          !facts.edges('AllowedToDelegate').endsOf(node).isEmpty,
      ),
  // Some collectors write this only for accounts that delegate.
  seenBy: 'trustedtoauth',
} as const satisfies ListFindingType;
