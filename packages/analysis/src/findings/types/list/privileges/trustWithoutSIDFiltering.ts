import { trusts } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { SID_FILTERING } from '../../trustRemedies.ts';

// Like for the edge, the affected domain is the one whose trust does not filter.
export const trustWithoutSIDFiltering = {
  kind: 'list',
  id: 'TrustWithoutSIDFiltering',
  title: 'Trust Without SID Filtering',
  ...classed({ platform: 'ad', category: 'TZ', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: trusts,
  remedy: {
    ...SID_FILTERING,
    risk: 'Administrators of the other forest can claim SIDs of this forest, and the privileges of these SIDs.',
  },
  what: 'The domain has a trust with another forest that does not filter SIDs.',
  needs: [],
  reads: { edges: ['SpoofSIDHistory'] },
  find: (facts) =>
    facts.of('Domain').filter((node) => !facts.edges('SpoofSIDHistory').startsOf(node).isEmpty),
} as const satisfies ListFindingType;
