import { trusts } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { TICKET_DELEGATION } from '../../trustRemedies.ts';

// The affected domain is the one whose trust must be changed.
export const trustWithTGTDelegation = {
  kind: 'list',
  id: 'TrustWithTGTDelegation',
  title: 'Trust That Forwards Tickets',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: trusts,
  remedy: {
    ...TICKET_DELEGATION,
    risk: 'Servers of the other forest that are trusted for delegation can collect the tickets of users and domain controllers.',
  },
  what: 'The domain has a trust with another forest that allows ticket delegation.',
  needs: [],
  reads: { edges: ['AbuseTGTDelegation'] },
  find: (facts) =>
    facts.of('Domain').filter((node) => !facts.edges('AbuseTGTDelegation').startsOf(node).isEmpty),
} as const satisfies ListFindingType;
