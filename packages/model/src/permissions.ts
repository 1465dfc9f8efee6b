/**
 * Permissions, roles, and the permissions of each role: the only table that decides access. Rule: `docs/reference/api.md#roles`, including
 * the permissions that its table only implies. Numbers are persisted and returned in answers: never renumber, only append.
 */

const PERMISSION_ROWS = [
  [1, 'app', 'ReadAppConfig'],
  [2, 'app', 'WriteAppConfig'],
  [3, 'risks', 'GenerateReport'],
  [4, 'risks', 'ManageRisks'],
  [5, 'audit_log', 'Read'],
  [6, 'auth', 'AcceptEULA'],
  [7, 'auth', 'CreateToken'],
  [8, 'auth', 'ManageSelf'],
  [9, 'auth', 'ManageUsers'],
  [10, 'auth', 'ManageProviders'],
  [11, 'auth', 'ReadUsers'],
  [12, 'auth', 'ReadUsersMinimal'],
  [13, 'auth', 'ReadProviders'],
  [14, 'clients', 'Manage'],
  [15, 'clients', 'Read'],
  [16, 'clients', 'Tasking'],
  [17, 'collection', 'ManageJobs'],
  [18, 'collection', 'ReadJobs'],
  [19, 'graphdb', 'Read'],
  [20, 'graphdb', 'Write'],
  [21, 'graphdb', 'Mutate'],
  [22, 'graphdb', 'IngestManage'],
  [23, 'graphdb', 'IngestRead'],
  [24, 'saved_queries', 'Read'],
  [25, 'saved_queries', 'Write'],
  [26, 'db', 'Wipe'],
  [27, 'opengraph', 'Read'],
  [28, 'opengraph', 'Write'],
  [29, 'analysis', 'Request'],
  [30, 'alerts', 'Read'],
  [31, 'alerts', 'Manage'],
] as const satisfies readonly (readonly [number, string, string])[];

type PermissionRow = (typeof PERMISSION_ROWS)[number];

/** `authority/Name`, the form in which routes require a permission and principals have it. */
export type PermissionName = PermissionRow extends infer Row
  ? Row extends readonly [number, infer Authority extends string, infer Name extends string]
    ? `${Authority}/${Name}`
    : never
  : never;

export interface Permission {
  readonly id: number;
  readonly authority: string;
  readonly name: string;
  readonly fullName: PermissionName;
}

export const PERMISSIONS: readonly Permission[] = PERMISSION_ROWS.map(([id, authority, name]) => ({
  id,
  authority,
  name,
  fullName: `${authority}/${name}` as PermissionName,
}));

export type RoleName =
  | 'Administrator'
  | 'Power User'
  | 'User'
  | 'Read-Only'
  | 'Auditor'
  | 'Upload-Only'
  | 'Client-Tasking';

export interface Role {
  readonly id: number;
  readonly name: RoleName;
  readonly description: string;
  /** False for the technical role that only collectors have. */
  readonly assignable: boolean;
  /** Users of the role may be limited to some environments (`docs/reference/api.md#environments`). */
  readonly environmentsLimitable: boolean;
  readonly permissions: ReadonlySet<PermissionName>;
}

const everything = PERMISSIONS.map((permission) => permission.fullName);

const readOnly: readonly PermissionName[] = [
  'app/ReadAppConfig',
  'risks/GenerateReport',
  'auth/AcceptEULA',
  'auth/CreateToken',
  'auth/ManageSelf',
  'auth/ReadUsersMinimal',
  'graphdb/Read',
  'saved_queries/Read',
  'opengraph/Read',
];

const user: readonly PermissionName[] = [...readOnly, 'clients/Read', 'saved_queries/Write'];

const powerUser: readonly PermissionName[] = [
  ...user,
  'app/WriteAppConfig',
  'risks/ManageRisks',
  'clients/Manage',
  'clients/Tasking',
  'collection/ManageJobs',
  'collection/ReadJobs',
  'graphdb/Write',
  'graphdb/Mutate',
  'graphdb/IngestManage',
  'graphdb/IngestRead',
];

const auditor: readonly PermissionName[] = [
  ...readOnly,
  'audit_log/Read',
  'auth/ReadUsers',
  'auth/ReadProviders',
  'clients/Read',
  'collection/ReadJobs',
  'graphdb/IngestRead',
  'alerts/Read',
];

const uploadOnly: readonly PermissionName[] = ['graphdb/IngestManage', 'graphdb/IngestRead'];

const clientTasking: readonly PermissionName[] = ['clients/Tasking', 'graphdb/Write'];

function role(
  id: number,
  name: RoleName,
  description: string,
  permissions: readonly PermissionName[],
  traits: { readonly assignable?: boolean; readonly environmentsLimitable?: boolean } = {},
): Role {
  return {
    id,
    name,
    description,
    assignable: traits.assignable ?? true,
    environmentsLimitable: traits.environmentsLimitable ?? false,
    permissions: new Set(permissions),
  };
}

export const ROLES: readonly Role[] = [
  role(1, 'Administrator', 'Manages the service, its users and everything in it', everything),
  role(2, 'Power User', 'Manages collectors, uploads, the graph and risks', powerUser),
  role(3, 'User', 'Explores the graph, saves queries and reads collectors', user, {
    environmentsLimitable: true,
  }),
  role(4, 'Read-Only', 'Explores the graph and reads findings', readOnly, { environmentsLimitable: true }),
  role(5, 'Auditor', 'Reads everything, including the audit log and users, and changes nothing', auditor),
  role(6, 'Upload-Only', 'Uploads collections and sees their progress', uploadOnly),
  role(7, 'Client-Tasking', 'Takes jobs and sends collected data; used by collectors', clientTasking, {
    assignable: false,
  }),
];

const byId: ReadonlyMap<number, Role> = new Map(ROLES.map((each) => [each.id, each]));
const byName: ReadonlyMap<string, Role> = new Map(ROLES.map((each) => [each.name, each]));

/** @returns the role with this number; `undefined` for any other number */
export function roleById(id: number): Role | undefined {
  return byId.get(id);
}

/** @returns the built-in role with this name */
export function roleByName(name: RoleName): Role {
  return byName.get(name)!;
}
