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
    risk: 'No one is responsible for its permissions, notices a misused credential, or deletes the application when it is no longer needed.',
    fix: 'Assign a person in charge of the application, with an account of the zone.',
    steps: [
      'Find out from its sign-ins and permissions who uses the application, and for what.',
      'Record the responsible person. Make this person an owner only with an account of the zone.',
      'Delete the application if no one claims it.',
    ],
    verify: [
      'The application has an owner in the zone, or an entry in your inventory that names the responsible person.',
    ],
    care: 'An owner can add credentials: an owner outside the zone is worse than no owner.',
    prevent: 'Create privileged applications only with a responsible person.',
  },
  what: 'A Tier Zero application has no owner.',
  needs: [],
  reads: { edges: ['AZOwns'] },
  find: (facts) => tierZeroApps(facts).filter((node) => facts.edges('AZOwns').startsOf(node).isEmpty),
} as const satisfies ListFindingType;
