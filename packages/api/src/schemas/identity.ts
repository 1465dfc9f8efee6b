/** Sign-in, the caller, API tokens. */
import Type, { type Static } from 'typebox';
import { column, NEVER_OR_TIME, TIMESTAMP_COLUMNS } from '../columns.ts';
import { NullTime, nullable, Time, Uuid } from './common.ts';

export const LoginRequest = Type.Object({
  login_method: Type.String({ description: 'Only `secret` is supported' }),
  username: Type.String({ description: 'Principal name or e-mail address' }),
  secret: Type.Optional(Type.String()),
  new_secret: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Replaces the secret, even if that has expired' }),
  ),
  otp: Type.Optional(
    Type.String({
      description: 'One-time password or recovery code if multi-factor authentication is active',
    }),
  ),
});
export type LoginRequest = Static<typeof LoginRequest>;

export const LoginAnswer = Type.Object({
  user_id: Uuid,
  auth_expired: Type.Boolean({ description: 'The secret has expired: only setting a new one is allowed' }),
  auth_expires_at: Type.Optional(Time),
  session_token: Type.String({ description: 'A JWT for the header `Authorization: Bearer`' }),
});
export type LoginAnswer = Static<typeof LoginAnswer>;

/** Members that users, roles, permissions and tokens share. */
export const timestamps = { created_at: Time, updated_at: Time, deleted_at: NullTime };

export const PermissionRecord = Type.Object({
  id: Type.Integer(),
  authority: Type.String(),
  name: Type.String(),
  ...timestamps,
});

export const RoleRecord = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  permissions: Type.Array(PermissionRecord),
  ...timestamps,
});

/** Data about a password, but not its digest. */
export const AuthSecret = Type.Object({
  id: Type.Integer(),
  digest_method: Type.String(),
  expires_at: Time,
  totp_activated: Type.Boolean(),
  ...timestamps,
});

export const User = Type.Object({
  id: Uuid,
  principal_name: Type.String(),
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  email_address: nullable(Type.String()),
  last_login: Time,
  is_disabled: Type.Boolean(),
  eula_accepted: Type.Boolean(),
  sso_provider_id: nullable(Type.Integer()),
  saml_provider_id: nullable(Type.Integer()),
  AuthSecret: nullable(AuthSecret),
  roles: Type.Array(RoleRecord),
  all_environments: Type.Boolean(),
  environment_targeted_access_control: Type.Object(
    { environments: Type.Array(Type.Object({ environment_id: Type.String() })) },
    { description: 'Empty if `all_environments` is true' },
  ),
  ...timestamps,
});
export type User = Static<typeof User>;

export const AuthToken = Type.Object({
  id: Uuid,
  user_id: nullable(Uuid),
  name: nullable(Type.String()),
  key: Type.String({ description: 'Shown only once, when the token is created; otherwise empty' }),
  hmac_method: Type.String(),
  last_access: Time,
  created_by: nullable(Uuid),
  expires_at: NullTime,
  ...timestamps,
});
export type AuthToken = Static<typeof AuthToken>;

export const CreateTokenRequest = Type.Object({
  token_name: Type.Optional(Type.String()),
  user_id: Type.Optional(Uuid),
  expires_at: Type.Optional(
    nullable(
      Type.String({ maxLength: 40, description: 'When it ends (RFC 3339); if absent, it does not end' }),
    ),
  ),
});
export type CreateTokenRequest = Static<typeof CreateTokenRequest>;

/** `key` is not a column, because a filter on it would allow guessing secrets (`docs/reference/api.md#api-tokens`). */
export const AUTH_TOKEN_COLUMNS = {
  id: column('uuid', { sortable: false }),
  user_id: column('uuid'),
  client_id: column('uuid', { filterable: false }),
  name: column('string'),
  hmac_method: column('string', { sortable: false }),
  last_access: NEVER_OR_TIME,
  ...TIMESTAMP_COLUMNS,
} as const;
