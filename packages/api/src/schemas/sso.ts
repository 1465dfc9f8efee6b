/** Single sign-on providers. Names and wrappers are those of the public API. */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { int32, NullInt32, NullTime, Time } from './common.ts';
import { User } from './identity.ts';

const times = { created_at: Time, updated_at: Time, deleted_at: NullTime };

export const AutoProvision = Type.Object({
  enabled: Type.Boolean({ description: 'Whether unknown users are created at their first sign-in' }),
  default_role_id: int32({ description: 'Role of these users; 0 if none are created' }),
  role_provision: Type.Boolean({
    description: 'Whether the provider decides the role of a user at each sign-in',
  }),
});

export const ProviderConfig = Type.Object({ auto_provision: AutoProvision });
export type ProviderConfig = Static<typeof ProviderConfig>;

export const SamlProvider = Type.Object({
  id: Type.Integer({ description: 'Id of the SAML provider, not of the SSO provider' }),
  ...times,
  name: Type.String(),
  display_name: Type.String(),
  idp_issuer_uri: Type.String(),
  idp_sso_uri: Type.String(),
  principal_attribute_mappings: Type.Array(Type.String()),
  sp_issuer_uri: Type.String(),
  sp_sso_uri: Type.String(),
  sp_metadata_uri: Type.String(),
  sp_acs_uri: Type.String(),
  sso_provider_id: NullInt32,
  root_uri_version: Type.Integer({ description: 'Always 2: the addresses are below /api/v2/sso' }),
  allow_unsolicited: Type.Boolean({
    description:
      'Also accepts responses that the provider sends without a request of the browser; off by default',
  }),
});
export type SamlProvider = Static<typeof SamlProvider>;

export const OidcProvider = Type.Object({
  id: Type.Integer({ description: 'Id of the OIDC provider, not of the SSO provider' }),
  ...times,
  client_id: Type.String(),
  issuer: Type.String(),
  tenants: Type.Array(Type.String(), {
    description:
      'Ids of the tenants whose users may sign in, if the issuer serves several (Entra ID: common, organizations, consumers)',
  }),
  sso_provider_id: Type.Integer(),
});
export type OidcProvider = Static<typeof OidcProvider>;

export const SsoProvider = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.Union([Type.Literal('SAML'), Type.Literal('OIDC')]),
  slug: Type.String(),
  login_uri: Type.String(),
  callback_uri: Type.String(),
  details: Type.Optional(
    Type.Union([SamlProvider, OidcProvider], { description: 'Only for users who may read SSO providers' }),
  ),
  config: Type.Optional(ProviderConfig),
  created_at: Type.Optional(Time),
  updated_at: Type.Optional(Time),
  deleted_at: Type.Optional(NullTime),
});
export type SsoProvider = Static<typeof SsoProvider>;

/** The data of a sign-in page, which is public. */
export const SsoProviders = Type.Object({
  data: Type.Array(SsoProvider),
  first_start: Type.Optional(
    Type.Literal(true, {
      description:
        'A password was generated for the first administrator, and no user has signed in yet. Only clients on the machine of the service get it, and none behind a proxy.',
    }),
  ),
});

export const SSO_PROVIDER_COLUMNS = {
  id: column('integer'),
  name: column('string'),
  slug: column('string'),
  type: column('string', { words: ['SAML', 'OIDC'] }),
  created_at: column('time'),
  updated_at: column('time'),
} as const;

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Tenants = Type.Array(
  Type.String({
    pattern: '^[0-9A-Za-z-]{1,100}$',
    'x-form': 'the id of a tenant: letters, digits and hyphens',
  }),
  { maxItems: 100 },
);
const Address = Type.String({ minLength: 1, maxLength: 2000 });

export const CreateOidcRequest = Type.Object({
  name: Name,
  issuer: Address,
  client_id: Type.String({ minLength: 1, maxLength: 500 }),
  tenants: Type.Optional(Tenants),
  config: Type.Optional(ProviderConfig),
});
export type CreateOidcRequest = Static<typeof CreateOidcRequest>;

/** Missing values stay unchanged. */
export const UpdateOidcRequest = Type.Object({
  name: Type.Optional(Name),
  issuer: Type.Optional(Address),
  client_id: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  tenants: Type.Optional(Tenants),
  config: Type.Optional(ProviderConfig),
});
export type UpdateOidcRequest = Static<typeof UpdateOidcRequest>;

export const AffectedUsers = Type.Object({
  affected_users: Type.Array(User, {
    description: 'These users cannot sign in until they have another way to do so',
  }),
});

export const SamlSignOnEndpoint = Type.Object({
  name: Type.String(),
  initiation_url: Type.String(),
  idp_url: Type.String({ description: 'The same value under its older name' }),
});
