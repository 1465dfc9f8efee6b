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
    risk: 'An owner may change the permissions of the computer account, and so takes the computer over. Anyone who joined it stays its owner for ever.',
    fix: 'Make Domain Admins the owner of the computer accounts of the domain, and let only a joining account create them.',
    steps: [
      'Set ms-DS-MachineAccountQuota of the domain to 0.',
      'Let one group create computer accounts in the units for computers, and no one else.',
      'Set the owner of all computer accounts to Domain Admins, with a script.',
    ],
    verify: ['No computer account has a user outside Tier Zero as its owner.'],
    care: 'Some joined computers again under the same name rely on their owner: check the way of joining first.',
  },
  what: 'Ten or more computers of the domain are owned by users outside Tier Zero, as happens where users join computers.',
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
