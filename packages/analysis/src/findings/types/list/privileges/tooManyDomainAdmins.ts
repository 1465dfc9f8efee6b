import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { membersAtAnyDepth } from './common.ts';

const MAX_DOMAIN_ADMINS = 20;

export const tooManyDomainAdmins = {
  kind: 'list',
  id: 'TooManyDomainAdmins',
  title: 'Large Number of Domain Administrators',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: zoneMembership,
  remedy: {
    risk: 'Each of them controls the whole domain. If there are many, some are probably careless or unused.',
    fix: 'Reduce the administrators of the domain to the few people who need the role.',
  },
  what: 'More than twenty enabled users administer the domain.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: crowdedDomains,
} as const satisfies ListFindingType;

/** Domains whose administrative groups contain more enabled users than this, directly or indirectly. */
function crowdedDomains(facts: FindingFacts): NodeSet {
  const administrative = facts.withSuffix(facts.groups, '-512', '-519', '-544');
  const byDomain = Map.groupBy(administrative, (group) => facts.domainOf(group));
  const users = facts.enabled(facts.users);
  return facts.of('Domain').filter((domain) => {
    const groups = byDomain.get(domain) ?? [];
    const members = groups.reduce(
      (all, group) => all.or(membersAtAnyDepth(facts, group)),
      facts.context.emptySet(),
    );
    return members.intersectionSize(users) > MAX_DOMAIN_ADMINS;
  });
}
