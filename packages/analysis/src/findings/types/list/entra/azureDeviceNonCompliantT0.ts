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
    risk: 'A privileged user works on a device that no one updates or monitors.',
    fix: 'Enroll the device in management, or remove it from the user.',
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
