import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { notEmpty } from './common.ts';

export const dnsAdminsNotEmpty = {
  kind: 'list',
  id: 'DnsAdminsNotEmpty',
  title: 'DNS Administrators Not Empty',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: zoneMembership,
  remedy: {
    risk: 'A member can configure the DNS service, which usually runs on domain controllers, and decide how names resolve.',
    fix: 'Empty the DnsAdmins group, and delegate individual zones instead.',
  },
  what: 'The DnsAdmins group has members.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => notEmpty(facts, facts.named(facts.groups, 'DNSADMINS@')),
} as const satisfies ListFindingType;
