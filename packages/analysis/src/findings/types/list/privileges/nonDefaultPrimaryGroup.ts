import { encodeText, textEndsWith } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import type { FindingFacts } from '../../../findingFacts.ts';
import { zoneMembership } from '../../families/directory.ts';
import type { ListFindingType } from '../../findingType.ts';

/** Domain Users and Domain Guests; Domain Computers and the groups of controllers. */
const OF_USERS = ['-513', '-514'].map(encodeText);
const OF_COMPUTERS = ['-515', '-516', '-521'].map(encodeText);

export const nonDefaultPrimaryGroup = {
  kind: 'list',
  id: 'NonDefaultPrimaryGroup',
  title: 'Accounts With an Unusual Primary Group',
  platform: 'ad',
  category: 'LP',
  scope: 'hygiene',
  nature: 'safeguard',
  floor: 'low',
  family: zoneMembership,
  remedy: {
    risk: 'A membership by primary group does not show in the list of members of the group, so reviews overlook it.',
    fix: 'Make the usual group the primary one again, and the account a member of the other group where it needs that.',
    verify: [
      'primaryGroupID is 513 for users, 515 for computers, 516 for controllers, 521 for read-only ones.',
    ],
  },
  what: 'The primary group of the account is another than Windows gives it.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) =>
    facts.users
      .andNot(facts.managed())
      .filter((account) => hasOtherPrimary(facts, account, OF_USERS))
      .or(
        facts.computers
          .or(facts.users.and(facts.managed()))
          .filter((account) => hasOtherPrimary(facts, account, OF_COMPUTERS)),
      ),
} as const satisfies ListFindingType;

function hasOtherPrimary(facts: FindingFacts, account: number, usual: readonly Uint8Array[]): boolean {
  const { objectIds } = facts.context.graph;
  let found = false;
  facts.edges('MemberOf').outOf(account, (group, _, flags) => {
    if ((flags & EdgeFlag.PrimaryGroup) === 0) return;
    if (!usual.some((end) => textEndsWith(objectIds, group, end))) found = true;
  });
  return found;
}
