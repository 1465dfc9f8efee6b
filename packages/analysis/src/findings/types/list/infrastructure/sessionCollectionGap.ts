import type { NodeSet } from '@clew/graph';
import { activeComputers } from '../../../activeComputers.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { collectionGaps } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

const MIN_COMPLETENESS = 0.8;

export const sessionCollectionGap = {
  kind: 'list',
  id: 'SessionCollectionGap',
  title: 'Active Computers Not Scanned for Sessions',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: collectionGaps,
  what: 'Sessions were collected from fewer than 80 percent of the active computers in the domain.',
  needs: [],
  find: unscannedDomains,
} as const satisfies ListFindingType;

/** Empty if it is unknown which computers were scanned. */
function unscannedDomains(facts: FindingFacts): NodeSet {
  const { scanned } = facts;
  if (scanned === undefined) return facts.context.emptySet();
  const active = Map.groupBy(activeComputers(facts), (computer) => facts.domainOf(computer));
  return facts.of('Domain').filter((domain) => {
    const computers = active.get(domain) ?? [];
    const seen = computers.filter((computer) => scanned.sessions.has(computer)).length;
    return seen < computers.length * MIN_COMPLETENESS;
  });
}
