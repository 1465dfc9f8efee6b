/** Users, roles and permissions in answers. */
import { NOT_DELETED, type PermissionRecord, type RoleRecord, type User, ZERO_TIME } from '@clew/api';
import { PERMISSIONS, type Permission, type Role, roleById } from '@clew/model';
import type { AuthSecretTable, UserAccountTable } from '@clew/store';
import type { Selectable } from 'kysely';
import type { Static } from 'typebox';

/** Roles and permissions are built in: they have no history. */
const BUILT_IN = { created_at: ZERO_TIME, updated_at: ZERO_TIME, deleted_at: NOT_DELETED };

/** Names in previous releases of this API, shown in addition to current ones for older clients. */
const OLDER_PERMISSIONS: readonly (Pick<Permission, 'id' | 'authority' | 'name'> & {
  readonly today: Permission['fullName'];
})[] = [{ id: 1001, authority: 'graphdb', name: 'Ingest', today: 'graphdb/IngestManage' }];

export function permissionRecord({
  id,
  authority,
  name,
}: Pick<Permission, 'id' | 'authority' | 'name'>): Static<typeof PermissionRecord> {
  return { id, authority, name, ...BUILT_IN };
}

export function roleRecord(role: Role): Static<typeof RoleRecord> {
  const permissions = PERMISSIONS.filter(({ fullName }) => role.permissions.has(fullName)).map(
    permissionRecord,
  );
  const older = OLDER_PERMISSIONS.filter(({ today }) => role.permissions.has(today));
  return {
    id: role.id,
    name: role.name,
    description: role.description,
    permissions: [...permissions, ...older.map(permissionRecord)],
    ...BUILT_IN,
  };
}

export function userRecord(
  user: Selectable<UserAccountTable>,
  secret: Selectable<AuthSecretTable> | undefined,
): User {
  return {
    id: user.id,
    principal_name: user.principal_name,
    first_name: user.first_name,
    last_name: user.last_name,
    email_address: user.email_address,
    last_login: user.last_login ?? ZERO_TIME,
    is_disabled: user.is_disabled,
    eula_accepted: user.eula_accepted,
    sso_provider_id: user.sso_provider_id,
    saml_provider_id: null,
    AuthSecret: secret === undefined ? null : secretRecord(secret),
    roles: [roleRecord(roleOf(user))],
    all_environments: user.environments === null,
    environment_targeted_access_control: {
      environments: (user.environments ?? []).map((environment_id) => ({ environment_id })),
    },
    created_at: user.created_at,
    updated_at: user.updated_at,
    deleted_at: NOT_DELETED,
  };
}

/** @throws Error if the database names a role that is not built in, written by a newer release */
export function roleOf(user: { readonly role_id: number }): Role {
  const role = roleById(user.role_id);
  if (role === undefined) throw new Error(`there is no role ${user.role_id}`);
  return role;
}

function secretRecord(secret: Selectable<AuthSecretTable>): NonNullable<User['AuthSecret']> {
  return {
    id: secret.id,
    digest_method: secret.digest_method,
    expires_at: secret.expires_at,
    totp_activated: secret.totp_activated,
    created_at: secret.created_at,
    updated_at: secret.updated_at,
    deleted_at: NOT_DELETED,
  };
}
