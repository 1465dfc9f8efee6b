import { applicationOwnership } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { TIER_ZERO_SAFEGUARD, tierZeroApps } from './common.ts';

export const azureAppWithoutOwner = {
  kind: 'list',
  id: 'AzureAppWithoutOwner',
  title: 'Privileged Application Without Owner',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'low',
  family: applicationOwnership,
  remedy: {
    risk: 'No one answers for its permissions, notices when a credential is misused or retires it when it is no longer needed.',
    fix: 'Name who answers for the application, with an account of the zone.',
    steps: [
      'Find out from sign-ins and permissions how the application is used, and who relies on it.',
      'Record the person who answers for it; make that person an owner only with an account of the zone.',
      'Delete the application if no one claims it.',
    ],
    verify: ['The application has an owner of the zone, or an entry in your inventory that names one.'],
    care: 'An owner can add credentials: an owner outside the zone would be worse than none.',
    prevent: 'Create privileged applications only with a named person who answers for them.',
  },
  what: 'A Tier Zero application has no owner who would answer for it.',
  needs: [],
  reads: { edges: ['AZOwns'] },
  find: (facts) => tierZeroApps(facts).filter((node) => facts.edges('AZOwns').startsOf(node).isEmpty),
} as const satisfies ListFindingType;
