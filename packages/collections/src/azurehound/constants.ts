/** Role and permission ids used in conversion, in lower case. Source: `docs/reference/azurehound.md#ids-of-roles-and-permissions`. */

/** Azure Resource Manager role definitions, and the edge that each grants. */
export const RM_ROLE_EDGES: ReadonlyMap<string, string> = new Map([
  ['8e3af657-a8ff-443c-a75c-2fe8c4bcb635', 'AZOwner'],
  ['18d7d88d-d35e-4fb5-a5c3-7773c20a72d9', 'AZUserAccessAdministrator'],
  ['b24988ac-6180-42a0-ab88-20f7382dd24c', 'AZContributor'],
  ['9980e02c-c2be-4d73-94e8-173b1dc7cf3c', 'AZVMContributor'],
  ['1c0163c0-47e6-4577-8991-ea5c82e286e4', 'AZVMAdminLogin'],
  ['4f8fab4f-1852-4a58-a46a-8eaf358af14a', 'AZAvereContributor'],
  ['f25e0fa2-a7c8-4377-a976-54943a77a395', 'AZKeyVaultContributor'],
  ['de139f84-1756-47ae-9be6-808fbbe84772', 'AZWebsiteContributor'],
  ['f353d9bd-d4a6-484e-a77a-8050b599b867', 'AZAutomationContributor'],
  ['87a39d53-fc1b-424a-814c-f7e04687dc9e', 'AZLogicAppContributor'],
  ['ed7f3fbd-7b88-4dd4-9017-9adb7ce333f8', 'AZAKSContributor'],
]);

/** Application id of Microsoft Graph. */
export const MICROSOFT_GRAPH_APP = '00000003-0000-0000-c000-000000000000';

/** Microsoft Graph application permissions that lead to control, and their edges. */
export const GRAPH_PERMISSION_EDGES: ReadonlyMap<string, string> = new Map([
  ['1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9', 'AZMGApplication_ReadWrite_All'],
  ['06b708a9-e830-4db3-a914-8e69da51d44f', 'AZMGAppRoleAssignment_ReadWrite_All'],
  ['19dbc75e-c2e2-444c-a770-ec69d8559fc7', 'AZMGDirectory_ReadWrite_All'],
  ['62a82d76-70ea-41e2-9197-370581804d09', 'AZMGGroup_ReadWrite_All'],
  ['dbaae8cf-10b5-4b86-a4a1-f871c94c6695', 'AZMGGroupMember_ReadWrite_All'],
  ['9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8', 'AZMGRoleManagement_ReadWrite_Directory'],
  ['89c8469c-83ad-45f7-8ff2-6e3d4285709e', 'AZMGServicePrincipalEndpoint_ReadWrite_All'],
]);

/** Directory roles whose assignments may be scoped to one application. */
export const SCOPED_APP_ADMIN_EDGES: ReadonlyMap<string, string> = new Map([
  ['9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3', 'AZAppAdmin'],
  ['158c047a-c907-4556-b7ef-446551a6b5f7', 'AZCloudAppAdmin'],
]);

export const PRIVILEGED_ROLE_ADMINISTRATOR = 'e8611ab8-c189-46e8-94e1-60213ab1f814';
