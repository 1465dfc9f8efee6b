import { obsoleteSystems } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { obsoleteComputers } from './common.ts';

export const t0ObsoleteOperatingSystem = {
  kind: 'list',
  id: 'T0ObsoleteOperatingSystem',
  title: 'Tier Zero Computers on Unsupported Operating Systems',
  ...classed({ platform: 'ad', category: 'IH', scope: 'tier-zero', nature: 'safeguard', floor: 'high' }),
  family: obsoleteSystems,
  what: 'A Tier Zero computer runs an unsupported operating system.',
  needs: ['operatingsystem'],
  find: (facts) => obsoleteComputers(facts).and(facts.tierZero),
} as const satisfies ListFindingType;
