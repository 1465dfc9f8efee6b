/** Applications, service principals, and their permissions. */
import { type ItemRow, principal, tenant } from './itemRow.ts';

export const APPLICATION_ITEMS: readonly ItemRow[] = [
  [
    'AZApp',
    'an application under its client id',
    { id: 'object', appId: 'a-1', displayName: 'App', publisherDomain: 'contoso.com', ...tenant },
    {
      nodes: ['AZApp A-1'],
      edges: ['T-1 AZContains A-1'],
      properties: {
        name: 'APP@CONTOSO.COM',
        description: '',
        displayname: 'App',
        whencreated: '0001-01-01T00:00:00Z',
        appid: 'a-1',
        applicationobjectid: 'OBJECT',
        publisherdomain: 'contoso.com',
        signinaudience: '',
        validcredentialcount: null,
        expiredcredentialcount: null,
        longestcredentialdays: null,
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZApp',
    'credentials of the application, without those that only sign tokens for others',
    {
      appId: 'a-2',
      keyCredentials: [
        { usage: 'Verify', startDateTime: '2020-01-01T00:00:00Z', endDateTime: '2999-01-01T00:00:00Z' },
        { usage: 'Sign', startDateTime: '2020-01-01T00:00:00Z', endDateTime: '2999-01-01T00:00:00Z' },
      ],
      passwordCredentials: [
        { startDateTime: '2020-01-01T00:00:00Z', endDateTime: '2021-01-01T00:00:00Z' },
        { startDateTime: 'long ago', endDateTime: null },
      ],
      ...tenant,
    },
    {
      nodes: ['AZApp A-2'],
      edges: ['T-1 AZContains A-2'],
      properties: {
        name: '@',
        description: '',
        displayname: '',
        whencreated: '0001-01-01T00:00:00Z',
        appid: 'a-2',
        applicationobjectid: '',
        publisherdomain: '',
        signinaudience: '',
        validcredentialcount: 2,
        expiredcredentialcount: 1,
        longestcredentialdays: 357_573,
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZAppOwner',
    'the outer id counts',
    { appId: 'a-1', owners: [{ appId: 'object', owner: principal('servicePrincipal', 's-1') }] },
    { edges: ['S-1 AZOwns A-1'] },
  ],
  ['AZAppOwner', 'no owners', { appId: 'a-1', owners: null }, { sets: ['az-owners A-1'] }],
  [
    'AZFederatedIdentityCredential',
    'a credential of an application',
    {
      appId: 'a-1',
      ...tenant,
      fics: [
        {
          appId: 'a-1',
          fic: { id: 'f-1', name: 'gh', issuer: 'https://i', subject: 'repo', audiences: ['x'] },
        },
      ],
    },
    {
      nodes: ['AZFederatedIdentityCredential F-1'],
      edges: ['F-1 AZAuthenticatesTo A-1'],
      sets: ['az-credentials A-1'],
      properties: {
        name: 'GH@CONTOSO',
        description: '',
        issuer: 'https://i',
        audiences: ['x'],
        subject: 'repo',
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZServicePrincipal',
    'two nodes; an application of another tenant is not contained by the tenant',
    {
      id: 's-1',
      appId: 'a-9',
      displayName: 'Svc',
      appDisplayName: 'App',
      appOwnerOrganizationId: 't-9',
      ...tenant,
    },
    {
      nodes: ['AZServicePrincipal S-1', 'AZApp A-9'],
      edges: ['T-1 AZContains S-1', 'A-9 AZRunsAs S-1'],
      sets: ['az-container S-1', 'az-app S-1'],
    },
  ],
  [
    'AZServicePrincipalOwner',
    'an owner',
    { servicePrincipalId: 's-1', owners: [{ owner: principal('user', 'u-1') }] },
    { edges: ['U-1 AZOwns S-1'] },
  ],
  [
    'AZAppRoleAssignment',
    'a permission on another application makes nothing',
    {
      appId: 'other',
      principalType: 'ServicePrincipal',
      principalId: 's-1',
      resourceId: 's-0',
      appRoleId: '1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9',
      ...tenant,
    },
    {},
  ],
  [
    'AZAppRoleAssignment',
    'a permission of a user makes nothing',
    {
      appId: '00000003-0000-0000-c000-000000000000',
      principalType: 'User',
      principalId: 'u-1',
      resourceId: 's-0',
      appRoleId: '1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9',
      ...tenant,
    },
    {},
  ],
  [
    'AZAppRoleAssignment',
    'a harmless permission makes the nodes only',
    {
      appId: '00000003-0000-0000-C000-000000000000',
      principalType: 'ServicePrincipal',
      principalId: 's-1',
      resourceId: 's-0',
      appRoleId: 'harmless',
      ...tenant,
    },
    { nodes: ['AZServicePrincipal S-1', 'AZServicePrincipal S-0'], sets: ['az-app-roles S-1'] },
  ],
  ...(
    [
      ['1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9', 'AZMGApplication_ReadWrite_All'],
      ['06B708A9-E830-4DB3-A914-8E69DA51D44F', 'AZMGAppRoleAssignment_ReadWrite_All'],
      ['19dbc75e-c2e2-444c-a770-ec69d8559fc7', 'AZMGDirectory_ReadWrite_All'],
      ['62a82d76-70ea-41e2-9197-370581804d09', 'AZMGGroup_ReadWrite_All'],
      ['dbaae8cf-10b5-4b86-a4a1-f871c94c6695', 'AZMGGroupMember_ReadWrite_All'],
      ['9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8', 'AZMGRoleManagement_ReadWrite_Directory'],
      ['89c8469c-83ad-45f7-8ff2-6e3d4285709e', 'AZMGServicePrincipalEndpoint_ReadWrite_All'],
    ] as const
  ).map(
    ([appRoleId, edge]): ItemRow => [
      'AZAppRoleAssignment',
      edge,
      {
        appId: '00000003-0000-0000-c000-000000000000',
        principalType: 'ServicePrincipal',
        principalId: 's-1',
        resourceId: 's-0',
        appRoleId,
        ...tenant,
      },
      { nodes: ['AZServicePrincipal S-1', 'AZServicePrincipal S-0'], edges: [`S-1 ${edge} S-0`] },
    ],
  ),
];
