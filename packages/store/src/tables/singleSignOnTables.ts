/** Providers of single sign-on, and pending sign-ins. */
import type { Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

export interface SsoProviderTable {
  id: GeneratedId;
  name: string;
  /** Part of its addresses. */
  slug: string;
  type: 'SAML' | 'OIDC';
  /** Creates unknown users at their first sign-in. */
  auto_provision: boolean;
  default_role_id: number;
  /** Claims of the provider determine the role at each sign-in. */
  role_provision: boolean;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface SamlProviderTable {
  id: GeneratedId;
  sso_provider_id: number;
  /** Original XML. */
  metadata: string;
  idp_issuer_uri: string;
  idp_sso_uri: string;
  principal_attribute_mappings: Generated<string[]>;
  /** Also accepts responses without a request. */
  allows_unsolicited: Generated<boolean>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface OidcProviderTable {
  id: GeneratedId;
  sso_provider_id: number;
  client_id: string;
  issuer: string;
  /** Tenants that may sign in, if the issuer represents several. */
  tenants: Generated<string[]>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

/** Values that a provider must return; each is valid once. */
export interface SsoAttemptTable {
  /** The OIDC state, or the id of a SAML request. */
  id: string;
  sso_provider_id: number;
  /** OIDC nonce and PKCE verifier. */
  secrets: Json<Readonly<Record<string, string>>>;
  expires_at: Timestamp;
}

export interface UsedAssertionTable {
  /** SHA-256 of issuer and id. */
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
