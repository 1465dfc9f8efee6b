import { addCount, NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { ownership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** A few are common after installations; many are a pattern. */
const MIN_COMPUTERS = 10;

export const computersOwnedByUsers = {
  kind: 'list',
  id: 'ComputersOwnedByUsers',
  title: 'Many Computers Owned by Users',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: ownership,
  remedy: {
    risk: 'An owner can change the permissions of the computer account, and so take over the computer. The user who joined it stays its owner permanently.',
    fix: 'Make Domain Admins the owner of the computer accounts of the domain, and allow only a join account to create them.',
    steps: [
      'Set ms-DS-MachineAccountQuota of the domain to 0.',
      'Allow only one group to create computer accounts in the organizational units for computers.',
      'Use a script to set the owner of all computer accounts to Domain Admins.',
    ],
    verify: ['No computer account is owned by a user outside Tier Zero.'],
    care: 'Rejoining a computer under the same name can depend on its owner: check your join process first.',
  },
  what: 'Users outside Tier Zero own ten or more computers of the domain, usually because these users joined them.',
  needs: [],
  reads: { edges: ['Owns', 'OwnsRaw'] },
  find: (facts) => {
    const counts = new Map<number, number>();
    const owners = facts.users.andNot(facts.tierZero);
    const owns = facts.edges('Owns', 'OwnsRaw');
    facts.computers.forEach((computer) => {
      let isOwned = false;
      owns.into(computer, (owner) => {
        isOwned ||= owners.has(owner);
      });
      if (!isOwned) return;
      const domain = facts.domainOf(computer);
      addCount(counts, domain);
    });
    return domainsOf(facts, counts);
  },
} as const satisfies ListFindingType;

function domainsOf(facts: FindingFacts, counts: ReadonlyMap<number, number>): NodeSet {
  const many = [...counts].filter(([, count]) => count >= MIN_COMPUTERS).map(([domain]) => domain);
  return NodeSet.of(facts.context.graph.nodeCount, many).and(facts.of('Domain'));
}
