import { deviceManagement } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { TIER_ZERO_SAFEGUARD, tierZeroUsers } from './common.ts';

export const azureDeviceNonCompliantT0 = {
  kind: 'list',
  id: 'AzureDeviceNonCompliantT0',
  title: 'Tier Zero User With Unmanaged Device',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'low',
  family: deviceManagement,
  remedy: {
    risk: 'No one keeps the device up to date or monitors its programs, while a privileged user works there.',
    fix: 'Bring the device under management, or remove it from the user.',
    verify: ['Every device of the user is managed and compliant.'],
  },
  what: 'A Tier Zero user owns a device that is not managed.',
  needs: ['ismanaged'],
  reads: { edges: ['AZOwns'] },
  find: (facts) => {
    const unmanaged = facts.of('AZDevice').and(facts.is('ismanaged', false));
    return facts.edges('AZOwns').startsOfAny(unmanaged).and(tierZeroUsers(facts));
  },
} as const satisfies ListFindingType;
