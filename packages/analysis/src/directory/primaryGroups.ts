/** Accounts whose primary group differs from the Windows default for their kind. */
import { encodeText, NodeSet, textEndsWith } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import type { AnalysisContext, Shared } from '../analysisContext.ts';

/** Domain Users and Domain Guests. */
const OF_USERS = ['-513', '-514'].map(encodeText);
/** Domain Computers and the groups of controllers. */
const OF_COMPUTERS = ['-515', '-516', '-521'].map(encodeText);

export interface PrimaryGroups {
  /** Accounts whose primary group is not one of those of users. */
  readonly notOfUsers: NodeSet;
  /** Accounts whose primary group is not one of those of computers. */
  readonly notOfComputers: NodeSet;
}

const MEMBERSHIPS = ['MemberOf'] as const;

export const primaryGroups: Shared<PrimaryGroups> = {
  name: 'primaryGroups',
  reads: { edges: MEMBERSHIPS },
  build: (context) => {
    const accounts = context.nodesOf('User').or(context.nodesOf('Computer'));
    const { origin } = context;
    const changed = origin?.differences?.(MEMBERSHIPS);
    if (origin === undefined || changed === undefined) return amongAccounts(context, accounts);
    // Only a membership of the account itself can change its primary group.
    const starts = NodeSet.of(
      accounts.capacity,
      changed.map(({ start }) => start),
    );
    const before = origin.context.use(primaryGroups);
    const again = amongAccounts(context, accounts.and(starts));
    return {
      notOfUsers: before.notOfUsers.andNot(starts).or(again.notOfUsers),
      notOfComputers: before.notOfComputers.andNot(starts).or(again.notOfComputers),
    };
  },
};

function amongAccounts(context: AnalysisContext, accounts: NodeSet): PrimaryGroups {
  const { objectIds } = context.graph;
  const memberships = context.edges(...MEMBERSHIPS);
  const isOther = (account: number, usual: readonly Uint8Array[]): boolean => {
    let found = false;
    memberships.outOf(account, (group, _, flags) => {
      if ((flags & EdgeFlag.PrimaryGroup) === 0) return;
      if (!usual.some((end) => textEndsWith(objectIds, group, end))) found = true;
    });
    return found;
  };
  return {
    notOfUsers: accounts.filter((account) => isOther(account, OF_USERS)),
    notOfComputers: accounts.filter((account) => isOther(account, OF_COMPUTERS)),
  };
}
