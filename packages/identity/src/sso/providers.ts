/** Single sign-on providers in the database. Rule: `docs/reference/api.md#single-sign-on`. */
import { NOT_DELETED, nullInt32, type OidcProvider, type ProviderConfig, type SamlProvider } from '@clew/api';
import { apiError, storableText } from '@clew/common';
import { roleById } from '@clew/model';
import type { Db, OidcProviderTable, SamlProviderTable, SsoProviderTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { addressesOf, slugOf } from './addresses.ts';
import { readMetadata, type SamlMetadata } from './samlMetadata.ts';
import { SamlXmlError } from './samlXml.ts';

export type StoredProvider = Selectable<SsoProviderTable> & {
  /** Data of a SAML provider. */
  readonly saml: Selectable<SamlProviderTable> | undefined;
  /** Data of an OpenID Connect provider. */
  readonly oidc: Selectable<OidcProviderTable> | undefined;
};

export type AutoProvision = ProviderConfig['auto_provision'];

const NO_USERS_MADE: AutoProvision = { enabled: false, default_role_id: 0, role_provision: false };

export async function listProviders(db: Db): Promise<StoredProvider[]> {
  const providers = await db
    .selectFrom('sso_provider')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const saml = await db.selectFrom('saml_provider').selectAll().execute();
  const oidc = await db.selectFrom('oidc_provider').selectAll().execute();
  return providers.map((provider) => ({
    ...provider,
    saml: saml.find(({ sso_provider_id }) => sso_provider_id === provider.id),
    oidc: oidc.find(({ sso_provider_id }) => sso_provider_id === provider.id),
  }));
}

export async function findProvider(
  db: Db,
  chosen: (provider: StoredProvider) => boolean,
): Promise<StoredProvider | undefined> {
  return (await listProviders(db)).find(chosen);
}

/** @throws ApiError 404 */
export async function requireProvider(
  db: Db,
  chosen: (provider: StoredProvider) => boolean,
): Promise<StoredProvider> {
  const provider = await findProvider(db, chosen);
  if (provider === undefined) throw apiError('resourceNotFound');
  return provider;
}

interface NewProvider {
  readonly name: string;
  readonly config?: AutoProvision;
}

/** @throws ApiError 400 for invalid settings, 409 for an existing name */
export async function insertSaml(
  db: Db,
  {
    name,
    config = NO_USERS_MADE,
    metadata,
    allowsUnsolicited = false,
  }: NewProvider & { readonly metadata: string; readonly allowsUnsolicited?: boolean },
): Promise<StoredProvider> {
  const { entityId, postUrl } = requireMetadata(metadata);
  const id = await insertProvider(db, 'SAML', name, config);
  await db
    .insertInto('saml_provider')
    .values({
      ...{ sso_provider_id: id, metadata, idp_issuer_uri: entityId, idp_sso_uri: postUrl },
      allows_unsolicited: allowsUnsolicited,
    })
    .execute();
  return requireProvider(db, (provider) => provider.id === id);
}

/** @throws ApiError 400 for invalid settings, 409 for an existing name */
export async function insertOidc(
  db: Db,
  wanted: NewProvider & {
    readonly issuer: string;
    readonly client_id: string;
    readonly tenants?: readonly string[];
  },
): Promise<StoredProvider> {
  const { name, config = NO_USERS_MADE, issuer, client_id, tenants = [] } = wanted;
  requireIssuer(issuer);
  const id = await insertProvider(db, 'OIDC', name, config);
  await db
    .insertInto('oidc_provider')
    .values({ sso_provider_id: id, issuer, client_id: storableText(client_id), tenants: [...tenants] })
    .execute();
  return requireProvider(db, (provider) => provider.id === id);
}

/** Fields to change. Absent ones stay unchanged. */
export interface ProviderChange {
  readonly name?: string;
  readonly config?: AutoProvision;
  readonly metadata?: string;
  readonly allowsUnsolicited?: boolean;
  readonly issuer?: string;
  readonly client_id?: string;
  readonly tenants?: readonly string[];
}

/** @throws ApiError 400 for invalid settings, 409 for an existing name */
export async function changeProvider(
  db: Db,
  before: StoredProvider,
  change: ProviderChange,
): Promise<StoredProvider> {
  const { name, config, metadata, allowsUnsolicited, issuer, client_id, tenants } = change;
  if (name !== undefined) await requireFreeName(db, name, before.id);
  await db
    .updateTable('sso_provider')
    .set({
      ...(name === undefined ? {} : { name: storableText(name.trim()), slug: slugOf(name) }),
      ...(config === undefined ? {} : provisionColumns(config)),
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', before.id)
    .execute();
  if (metadata !== undefined) {
    const { entityId, postUrl } = requireMetadata(metadata);
    await db
      .updateTable('saml_provider')
      .set({ metadata, idp_issuer_uri: entityId, idp_sso_uri: postUrl, updated_at: sql`clock_timestamp()` })
      .where('sso_provider_id', '=', before.id)
      .execute();
  }
  if (allowsUnsolicited !== undefined)
    await db
      .updateTable('saml_provider')
      .set({ allows_unsolicited: allowsUnsolicited, updated_at: sql`clock_timestamp()` })
      .where('sso_provider_id', '=', before.id)
      .execute();
  if (issuer !== undefined || client_id !== undefined || tenants !== undefined) {
    if (issuer !== undefined) requireIssuer(issuer);
    // A new issuer has different identifiers for its users.
    if (issuer !== undefined && issuer !== before.oidc?.issuer) await forgetSubjects(db, before.id);
    await db
      .updateTable('oidc_provider')
      .set({
        ...(issuer === undefined ? {} : { issuer }),
        ...(client_id === undefined ? {} : { client_id: storableText(client_id) }),
        ...(tenants === undefined ? {} : { tenants: [...tenants] }),
        updated_at: sql`clock_timestamp()`,
      })
      .where('sso_provider_id', '=', before.id)
      .execute();
  }
  return requireProvider(db, ({ id }) => id === before.id);
}

/** A record combines two tables, and changes with either. Times have one format and are compared as text. */
const later = (a: string, b: string): string => (a > b ? a : b);

async function forgetSubjects(db: Db, providerId: number): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ sso_issuer: null, sso_subject: null })
    .where('sso_provider_id', '=', providerId)
    .execute();
}

export function samlRecord(provider: StoredProvider, publicUrl: string): SamlProvider {
  const { saml } = provider;
  if (saml === undefined) throw apiError('resourceNotFound');
  const { root, login, metadata, callback } = addressesOf(publicUrl, provider.slug);
  return {
    id: saml.id,
    created_at: saml.created_at,
    updated_at: later(provider.updated_at, saml.updated_at),
    deleted_at: NOT_DELETED,
    name: provider.name,
    display_name: provider.name,
    idp_issuer_uri: saml.idp_issuer_uri,
    idp_sso_uri: saml.idp_sso_uri,
    principal_attribute_mappings: saml.principal_attribute_mappings,
    sp_issuer_uri: root,
    sp_sso_uri: login,
    sp_metadata_uri: metadata,
    sp_acs_uri: callback,
    sso_provider_id: nullInt32(provider.id),
    root_uri_version: 2,
    allow_unsolicited: saml.allows_unsolicited,
  };
}

export function oidcRecord(provider: StoredProvider): OidcProvider {
  const { oidc } = provider;
  if (oidc === undefined) throw apiError('resourceNotFound');
  return {
    id: oidc.id,
    created_at: oidc.created_at,
    updated_at: later(provider.updated_at, oidc.updated_at),
    deleted_at: NOT_DELETED,
    client_id: oidc.client_id,
    issuer: oidc.issuer,
    tenants: oidc.tenants,
    sso_provider_id: provider.id,
  };
}

export function detailsOf(provider: StoredProvider, publicUrl: string): SamlProvider | OidcProvider {
  return provider.type === 'SAML' ? samlRecord(provider, publicUrl) : oidcRecord(provider);
}

async function insertProvider(
  db: Db,
  type: StoredProvider['type'],
  name: string,
  config: AutoProvision,
): Promise<number> {
  await requireFreeName(db, name);
  const { id } = await db
    .insertInto('sso_provider')
    .values({ name: storableText(name.trim()), slug: slugOf(name), type, ...provisionColumns(config) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Names are equal if their slugs are. @throws ApiError 409 */
async function requireFreeName(db: Db, name: string, own?: number): Promise<void> {
  await sql`lock table sso_provider in share row exclusive mode`.execute(db);
  const slug = slugOf(name);
  const taken = await findProvider(db, (provider) => provider.slug === slug && provider.id !== own);
  if (taken !== undefined) throw apiError('providerNameTaken');
}

/** @throws ApiError 400 */
function provisionColumns({ enabled, default_role_id, role_provision }: AutoProvision) {
  if (!enabled) return { auto_provision: false, default_role_id: 0, role_provision: false };
  if (roleById(default_role_id)?.assignable !== true) throw apiError('unknownRole');
  return { auto_provision: true, default_role_id, role_provision };
}

/** @throws ApiError 400 */
function requireMetadata(text: string): SamlMetadata {
  try {
    return readMetadata(text);
  } catch (error) {
    if (!(error instanceof SamlXmlError)) throw error;
    const { message } = error;
    const reason = message.startsWith('metadata ') ? message : `the metadata cannot be used: ${message}`;
    throw apiError('invalidProvider', { reason });
  }
}

/** @throws ApiError 400 */
function requireIssuer(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw apiError('invalidProvider', { reason: 'issuer url is invalid' });
}
