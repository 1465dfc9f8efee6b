/** Directory roles: active and eligible holders. */
import { type ItemRow, tenant } from './itemRow.ts';

const APPLICATION_ADMIN = '9B895D92-2CD3-44C7-9D02-A6AC2D5EA5C3';

export const ROLE_ITEMS: readonly ItemRow[] = [
  [
    'AZRole',
    'a role of its tenant',
    { id: 'r-1', displayName: 'Reader', isBuiltIn: true, isEnabled: true, templateId: 'r-1', ...tenant },
    {
      nodes: ['AZRole R-1@T-1'],
      edges: ['T-1 AZContains R-1@T-1'],
      properties: {
        name: 'READER@CONTOSO',
        description: '',
        displayname: 'Reader',
        enabled: true,
        isbuiltin: true,
        templateid: 'r-1',
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZRoleAssignment',
    'tenant-wide and scoped assignments',
    {
      roleDefinitionId: 'r-1',
      tenantId: 't-1',
      roleAssignments: [
        { principalId: 'u-1', directoryScopeId: '/' },
        { principalId: 'u-2', directoryScopeId: '/a-1' },
      ],
    },
    {
      nodes: ['AZRole A-1/R-1@T-1'],
      edges: [
        'U-1 AZHasRole R-1@T-1 {"scope":"T-1"}',
        'U-2 AZHasRole A-1/R-1@T-1 {"scope":"A-1"}',
        'A-1/R-1@T-1 AZScopedTo A-1',
      ],
      sets: ['az-role-assignments R-1@T-1'],
    },
  ],
  [
    'AZRoleAssignment',
    'an assignment for an administrative unit',
    {
      roleDefinitionId: 'r-1',
      tenantId: 't-1',
      roleAssignments: [{ principalId: 'u-2', directoryScopeId: '/administrativeUnits/au-1' }],
    },
    {
      nodes: ['AZRole ADMINISTRATIVEUNITS/AU-1/R-1@T-1'],
      edges: [
        'U-2 AZHasRole ADMINISTRATIVEUNITS/AU-1/R-1@T-1 {"scope":"ADMINISTRATIVEUNITS/AU-1"}',
        'ADMINISTRATIVEUNITS/AU-1/R-1@T-1 AZScopedTo AU-1',
      ],
    },
  ],
  [
    'AZAdministrativeUnit',
    'with members in both forms',
    {
      ...{ id: 'au-1', displayName: 'Sales', tenantId: 't-1', tenantName: 'Contoso' },
      members: [{ id: 'u-1' }, { member: { id: 'g-1', '@odata.type': '#microsoft.graph.group' } }],
    },
    {
      nodes: ['AZAdministrativeUnit AU-1'],
      edges: ['T-1 AZContains AU-1', 'U-1 AZMemberOf AU-1', 'G-1 AZMemberOf AU-1'],
      sets: ['az-container AU-1', 'az-members AU-1'],
    },
  ],
  [
    'AZRoleAssignment',
    'an application administrator of one application, role id in upper case',
    {
      roleDefinitionId: APPLICATION_ADMIN,
      tenantId: 't-1',
      roleAssignments: [{ principalId: 'u-1', directoryScopeId: '/a-1' }],
    },
    { edges: ['U-1 AZAppAdmin A-1'] },
  ],
  [
    'AZRoleAssignment',
    'a cloud application administrator, once scoped and once not',
    {
      roleDefinitionId: '158c047a-c907-4556-b7ef-446551a6b5f7',
      tenantId: 't-1',
      roleAssignments: [
        { principalId: 'u-1', directoryScopeId: '/a-1' },
        { principalId: 'u-2', directoryScopeId: '/' },
      ],
    },
    {
      edges: [
        'U-1 AZCloudAppAdmin A-1',
        'U-2 AZHasRole 158C047A-C907-4556-B7EF-446551A6B5F7@T-1 {"scope":"T-1"}',
      ],
    },
  ],
  [
    'AZRoleEligibilityScheduleInstance',
    'tenant-wide eligibility',
    { roleDefinitionId: 'r-1', principalId: 'u-1', directoryScopeId: '/', tenantId: 't-1' },
    { edges: ['U-1 AZRoleEligible R-1@T-1'] },
  ],
  [
    'AZRoleEligibilityScheduleInstance',
    'eligibility in an administrative unit makes no edge',
    {
      roleDefinitionId: 'r-1',
      principalId: 'u-1',
      directoryScopeId: '/administrativeUnits/x',
      tenantId: 't-1',
    },
    { sets: ['az-role-eligibility R-1@T-1'] },
  ],
  [
    'AZRoleManagementPolicyAssignment',
    'approval by named users and groups',
    {
      roleDefinitionId: 'r-1',
      tenantId: 't-1',
      endUserAssignmentRequiresApproval: true,
      endUserAssignmentUserApprovers: ['u-1'],
      endUserAssignmentGroupApprovers: ['g-1'],
      endUserAssignmentRequiresMFA: true,
    },
    {
      nodes: ['AZRole R-1@T-1'],
      edges: ['U-1 AZRoleApprover R-1@T-1', 'G-1 AZRoleApprover R-1@T-1'],
      properties: {
        roledefinitionid: 'R-1',
        tenantid: 'T-1',
        enduserassignmentrequiresapproval: true,
        enduserassignmentrequirescapauthenticationcontext: false,
        enduserassignmentuserapprovers: ['U-1'],
        enduserassignmentgroupapprovers: ['G-1'],
        enduserassignmentrequiresmfa: true,
        enduserassignmentrequiresjustification: false,
        enduserassignmentrequiresticketinformation: false,
      },
    },
  ],
  [
    'AZRoleManagementPolicyAssignment',
    'approval by no one in particular falls to Privileged Role Administrators',
    { roleDefinitionId: 'r-1', tenantId: 't-1', endUserAssignmentRequiresApproval: true },
    {
      nodes: ['AZRole R-1@T-1'],
      edges: ['E8611AB8-C189-46E8-94E1-60213AB1F814@T-1 AZRoleApprover R-1@T-1'],
    },
  ],
  [
    'AZRoleManagementPolicyAssignment',
    'no approval, no edge',
    { roleDefinitionId: 'r-1', tenantId: 't-1', endUserAssignmentUserApprovers: ['u-1'] },
    { nodes: ['AZRole R-1@T-1'], sets: ['az-role-approvers R-1@T-1'] },
  ],
];
