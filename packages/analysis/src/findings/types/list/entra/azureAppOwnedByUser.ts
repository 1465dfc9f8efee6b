import { roleAssignableGroups } from '../../families/cloud.ts';
import { REFERENCE } from '../../family.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { tierZeroApps } from './common.ts';

export const azureAppOwnedByUser = {
  kind: 'list',
  id: 'AzureAppOwnedByUser',
  title: 'Privileged Application Owned by Ordinary User',
  ...classed({ platform: 'azure', category: 'EN', scope: 'tier-zero', nature: 'opening' }),
  effort: 4,
  floor: 'moderate',
  family: roleAssignableGroups,
  remedy: {
    risk: 'An owner can add a credential to the application and sign in as it, with all its permissions.',
    fix: 'Remove the owner from the application, or add the owner to the zone.',
    steps: [
      'List the owners of the application and its service principal.',
      "Assign the owner's tasks to a pipeline or an administrator of the zone.",
      'Remove the owner, and rotate the credentials of the application.',
    ],
    verify: ['The owners are members of the zone; the audit log shows "Remove owner from application".'],
    care: 'The owner may be the only person who knows when secrets expire.',
    prevent: 'Do not let ordinary users register applications that will become privileged.',
    references: [REFERENCE.entraRoles, REFERENCE.graphPermissions],
  },
  what: 'A user outside Tier Zero owns a Tier Zero application.',
  needs: [],
  reads: { edges: ['AZOwns'] },
  find: (facts) => {
    const ordinary = facts.of('AZUser').andNot(facts.tierZero);
    return tierZeroApps(facts).filter((node) => facts.edges('AZOwns').startsOf(node).intersects(ordinary));
  },
} as const satisfies ListFindingType;
