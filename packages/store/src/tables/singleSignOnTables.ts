/** Providers of single sign-on, and sign-ins that are under way. */
import type { Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

export interface SsoProviderTable {
  id: GeneratedId;
  name: string;
  /** Part of its addresses. */
  slug: string;
  type: 'SAML' | 'OIDC';
  /** Users that are not known yet are made at their first sign-in. */
  auto_provision: boolean;
  default_role_id: number;
  /** Claims of the provider decide about the role, at each sign-in. */
  role_provision: boolean;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface SamlProviderTable {
  id: GeneratedId;
  sso_provider_id: number;
  /** XML as it came. */
  metadata: string;
  idp_issuer_uri: string;
  idp_sso_uri: string;
  principal_attribute_mappings: Generated<string[]>;
  /** Responses without a request are accepted, too. */
  allows_unsolicited: Generated<boolean>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface OidcProviderTable {
  id: GeneratedId;
  sso_provider_id: number;
  client_id: string;
  issuer: string;
  /** Tenants that may sign in, where the issuer represents many. */
  tenants: Generated<string[]>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

/** Values sent to a provider that it must return: each is valid once. */
export interface SsoAttemptTable {
  /** The state of OIDC, the id of a SAML request. */
  id: string;
  sso_provider_id: number;
  /** Nonce and PKCE verifier of OIDC. */
  secrets: Json<Readonly<Record<string, string>>>;
  expires_at: Timestamp;
}

export interface UsedAssertionTable {
  /** SHA-256 over issuer and id. */
  digest: Buffer;
  expires_at: Timestamp;
}

export interface SingleSignOnTables {
  sso_provider: SsoProviderTable;
  saml_provider: SamlProviderTable;
  oidc_provider: OidcProviderTable;
  sso_attempt: SsoAttemptTable;
  used_assertion: UsedAssertionTable;
}
