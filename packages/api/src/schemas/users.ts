/** Users, with their sign-in, roles and environments. */
import Type, { type Static } from 'typebox';
import { column, NEVER_OR_TIME, TIMESTAMP_COLUMNS } from '../columns.ts';
import { int32, nullable, Time, Uuid } from './common.ts';
import { User } from './identity.ts';

const Name = Type.String({ maxLength: 500 });
const Password = Type.String({ maxLength: 1024, description: 'The password' });

const EnvironmentAccess = Type.Object({
  environments: Type.Array(Type.Object({ environment_id: Type.String({ maxLength: 500 }) }), {
    maxItems: 10_000,
  }),
});

/** Members for both creating and changing a user. */
const profile = {
  first_name: Type.Optional(nullable(Name)),
  last_name: Type.Optional(nullable(Name)),
  email_address: Type.Optional(nullable(Name)),
  roles: Type.Optional(Type.Array(int32(), { maxItems: 100, description: 'Ids of roles: exactly one' })),
  saml_provider_id: Type.Optional(
    Type.String({ maxLength: 20, description: 'Deprecated: id of a SAML provider as text' }),
  ),
  sso_provider_id: Type.Optional(
    nullable(int32({ description: 'Users of a provider have no password; `null` removes the provider' })),
  ),
  is_disabled: Type.Optional(Type.Boolean()),
  all_environments: Type.Optional(Type.Boolean()),
  environment_targeted_access_control: Type.Optional(nullable(EnvironmentAccess)),
};

export const CreateUserRequest = Type.Object({
  principal: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'The name that the user signs in with',
  }),
  ...profile,
  secret: Type.Optional(Password),
  needs_password_reset: Type.Optional(Type.Boolean()),
});
export type CreateUserRequest = Static<typeof CreateUserRequest>;

/** Missing values and empty texts stay unchanged. */
export const UpdateUserRequest = Type.Object({
  principal: Type.Optional(Type.String({ maxLength: 500 })),
  ...profile,
});
export type UpdateUserRequest = Static<typeof UpdateUserRequest>;

export const SetSecretRequest = Type.Object({
  secret: Password,
  current_secret: Type.Optional(
    Type.String({ maxLength: 1024, description: "Required to change the user's own password" }),
  ),
  needs_password_reset: Type.Optional(Type.Boolean()),
});
export type SetSecretRequest = Static<typeof SetSecretRequest>;

/** The password of the caller, as proof of identity. */
export const SecretProof = Type.Object({ secret: Type.Optional(Type.String({ maxLength: 1024 })) });

export const MfaEnrollment = Type.Object({
  qr_code: Type.String({ description: 'A PNG image as a data URL' }),
  totp_secret: Type.String({ description: 'The secret in Base32' }),
});

export const MfaStatus = Type.Object({
  status: Type.Union([Type.Literal('activated'), Type.Literal('pending'), Type.Literal('deactivated')]),
});

export const MfaActivation = Type.Object({
  status: Type.Literal('activated'),
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each code replaces a one-time password once. The codes are not shown again',
  }),
});

export const OneTimePassword = Type.Object({ otp: Type.String({ maxLength: 100 }) });

/** For users who select others without managing them. */
export const MinimalUser = Type.Object({
  id: Uuid,
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  email: Type.String({ description: 'Empty for users without an e-mail address' }),
});
export type MinimalUser = Static<typeof MinimalUser>;

/** For users who assign work. */
export const AssignableUser = Type.Object({
  id: Uuid,
  name: Type.String({ description: 'The name that the user signs in with' }),
});
export type AssignableUser = Static<typeof AssignableUser>;

export const UserList = Type.Object({ users: Type.Array(User) });

export const UserSession = Type.Object({
  id: Type.Integer(),
  created_at: Time,
  expires_at: Time,
  client_address: Type.String({ description: 'Empty if not known' }),
  user_agent: Type.String(),
  login_method: Type.String({ description: '`secret`, or the name of an SSO provider' }),
  is_current: Type.Boolean({ description: 'The session of this request' }),
});
export type UserSession = Static<typeof UserSession>;

export const UserAssistant = Type.Object({
  id: Type.Integer(),
  client_name: Type.String({ description: 'The name that the assistant gives itself' }),
  redirect_uri: Type.String({ description: 'Address that the browser opened after the sign-in' }),
  created_at: Time,
  expires_at: Time,
  last_used_at: nullable(Time, 'Up to a minute old; null before the first use'),
});
export type UserAssistant = Static<typeof UserAssistant>;

export const MAX_VIEW_AS_MINUTES = 60;

export const ViewAsRequest = Type.Object({
  user_id: Type.String({ format: 'uuid', description: 'The user whose view is requested' }),
  minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_VIEW_AS_MINUTES,
      description: 'Number of minutes after which it ends by itself; default: 30',
    }),
  ),
});

export const ViewAs = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The value of the header `Clew-View-As`' }),
  user_id: Type.String({ format: 'uuid' }),
  user_name: Type.String(),
  expires_at: Time,
});
export type ViewAs = Static<typeof ViewAs>;

export const USER_COLUMNS = {
  id: column('uuid', { sortable: false }),
  first_name: column('string'),
  last_name: column('string'),
  email_address: column('string'),
  principal_name: column('string'),
  last_login: NEVER_OR_TIME,
  ...TIMESTAMP_COLUMNS,
} as const;

export const MINIMAL_USER_COLUMNS = {
  id: column('uuid'),
  first_name: column('string'),
  last_name: column('string'),
  email_address: column('string'),
} as const;
