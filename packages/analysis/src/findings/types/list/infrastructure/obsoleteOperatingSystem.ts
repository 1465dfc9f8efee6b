import { obsoleteSystems } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { obsoleteComputers } from './common.ts';

export const obsoleteOperatingSystem = {
  kind: 'list',
  id: 'ObsoleteOperatingSystem',
  title: 'Computers on Unsupported Operating Systems',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: obsoleteSystems,
  what: 'A computer in use runs an unsupported operating system.',
  needs: ['operatingsystem'],
  find: obsoleteComputers,
} as const satisfies ListFindingType;
