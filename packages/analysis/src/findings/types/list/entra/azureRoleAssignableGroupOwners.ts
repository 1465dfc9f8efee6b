import { roleAssignableGroups } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureRoleAssignableGroupOwners = {
  kind: 'list',
  id: 'AzureRoleAssignableGroupOwners',
  title: 'Role-Assignable Group With Owners',
  ...classed({ platform: 'azure', category: 'EN', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'moderate',
  family: roleAssignableGroups,
  remedy: {
    fix: 'Remove the owners from the role-assignable group.',
    steps: [
      'List the owners, and the roles the group holds.',
      'Remove the owners; Privileged Role Administrators can change the members when needed.',
      'Review the members that the owners added.',
    ],
    verify: ['The group has no owners, and in the audit log only administrators change its members.'],
    care: 'Owners who managed the members have to ask an administrator from now on.',
  },
  what: 'A role-assignable group has owners who can change its members.',
  needs: ['isassignabletorole'],
  reads: { edges: ['AZOwns'] },
  find: (facts) =>
    facts
      .of('AZGroup')
      .and(facts.is('isassignabletorole', true))
      .filter((node) => !facts.edges('AZOwns').startsOf(node).isEmpty),
} as const satisfies ListFindingType;
