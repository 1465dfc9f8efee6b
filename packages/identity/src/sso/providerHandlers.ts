/** Single sign-on providers in the API. Rule: `docs/reference/api.md#single-sign-on`. */
import { NOT_DELETED, SSO_PROVIDER_COLUMNS, type SsoProvider, type User } from '@clew/api';
import {
  apiError,
  dispositionOf,
  filterRows,
  type Handlers,
  isLocal,
  type Principal,
  parseListQuery,
  type RequestContext,
  recordSuccess,
  sortRows,
} from '@clew/common';
import type { Db } from '@clew/store';
import { hasGeneratedPassword } from '../firstAdministrator.ts';
import { userRecord } from '../records.ts';
import type { Sessions } from '../sessions.ts';
import { addressesOf } from './addresses.ts';
import { changedSamlProvider, newSamlProvider } from './providerForms.ts';
import {
  changeProvider,
  detailsOf,
  insertOidc,
  insertSaml,
  listProviders,
  oidcRecord,
  requireProvider,
  type StoredProvider,
  samlRecord,
} from './providers.ts';
import type { SigningKeys } from './signingKey.ts';

export interface ProviderParts {
  readonly db: Db;
  readonly sessions: Sessions;
  readonly signingKeys: SigningKeys;
  /** Drops cached user data. */
  readonly forget: () => void;
  /** Whether a proxy is in front of the service: then a local caller may be anyone. */
  readonly isBehindProxy: boolean;
}

type Operations =
  | 'ListAuthProviders'
  | 'CreateSSOSAMLProvider'
  | 'CreateOIDCProvider'
  | 'PatchSSOProvider'
  | 'DeleteSSOProvider'
  | 'GetSSOProviderSAMLSigningCertificate'
  | 'ListSamlProviders'
  | 'GetSamlSignSignOnEndpoints'
  | 'CreateSamlProvider'
  | 'GetSamlProvider'
  | 'DeleteSamlProvider';

export function providerHandlers({
  db,
  sessions,
  signingKeys,
  forget,
  isBehindProxy,
}: ProviderParts): Handlers<Operations> {
  /** Only a user of this machine may learn that the generated password is still valid. */
  const isFirstStart = async ({ peerAddress, headers }: RequestContext): Promise<boolean> =>
    !isBehindProxy && isLocal({ address: peerAddress, headers }) && hasGeneratedPassword(db);

  /** Changes data and writes the audit log in one transaction. */
  const change = async (
    context: RequestContext,
    action: string,
    work: (transaction: Db) => Promise<StoredProvider>,
  ): Promise<StoredProvider> =>
    db.transaction().execute(async (transaction) => {
      const provider = await work(transaction);
      const fields = { sso_provider_id: provider.id, name: provider.name, type: provider.type };
      await recordSuccess(transaction, context, action, fields);
      return provider;
    });

  const remove = async (
    context: RequestContext,
    chosen: (provider: StoredProvider) => boolean,
  ): Promise<User[]> => {
    let affected: User[] = [];
    await change(context, 'DeleteSSOProvider', async (transaction) => {
      const provider = await requireProvider(transaction, chosen);
      const users = await transaction
        .selectFrom('user_account')
        .selectAll()
        .where('sso_provider_id', '=', provider.id)
        .orderBy('principal_name')
        .execute();
      const { principal } = context;
      if (principal.kind === 'user' && users.some(({ id }) => id === principal.userId))
        throw apiError('ownProviderDeleted');
      affected = users.map((user) => userRecord({ ...user, sso_provider_id: null }, undefined));
      for (const { id } of users) await sessions.endOf(transaction, id);
      await transaction.deleteFrom('sso_provider').where('id', '=', provider.id).execute();
      return provider;
    });
    forget();
    return affected;
  };

  return {
    async ListAuthProviders({ rawQuery }, context) {
      const { principal, publicUrl } = context;
      const { filters, sorts } = parseListQuery(rawQuery, SSO_PROVIDER_COLUMNS);
      const oldestFirst = (a: StoredProvider, b: StoredProvider) => a.id - b.id;
      const providers = sortRows(filterRows(await listProviders(db), filters), sorts, oldestFirst);
      const all = mayRead(principal);
      const data = providers.map((provider) => ({
        ...publicRecord(provider, publicUrl),
        ...(all ? fullRecord(provider, publicUrl) : {}),
      }));
      return { status: 200, json: { data, ...((await isFirstStart(context)) && { first_start: true }) } };
    },

    async CreateSSOSAMLProvider({ body }, context) {
      const wanted = await newSamlProvider(requireForm(body));
      const provider = await change(context, 'CreateSSOProvider', (on) => insertSaml(on, wanted));
      return { status: 200, json: { data: samlRecord(provider, context.publicUrl) } };
    },

    async CreateSamlProvider({ body }, context) {
      const wanted = await newSamlProvider(requireForm(body), { isOlder: true });
      const provider = await change(context, 'CreateSSOProvider', (on) => insertSaml(on, wanted));
      return { status: 200, json: { data: samlRecord(provider, context.publicUrl) } };
    },

    async CreateOIDCProvider({ body }, context) {
      const { name, issuer, client_id, tenants, config } = body;
      if (config === undefined) throw apiError('invalidProvider', { reason: 'config is required' });
      const wanted = { name, issuer, client_id, tenants, config: config.auto_provision };
      const provider = await change(context, 'CreateSSOProvider', (on) => insertOidc(on, wanted));
      return { status: 201, json: { data: oidcRecord(provider) } };
    },

    async PatchSSOProvider({ params, body }, context) {
      const provider = await change(context, 'UpdateSSOProvider', async (on) => {
        const before = await requireProvider(on, ({ id }) => id === params.sso_provider_id);
        const isForm = body instanceof FormData;
        if (isForm !== (before.type === 'SAML'))
          throw apiError('invalidProvider', {
            reason:
              before.type === 'SAML'
                ? 'changing a SAML provider needs multipart/form-data'
                : 'changing an OIDC provider needs application/json',
          });
        if (body instanceof FormData) return changeProvider(on, before, await changedSamlProvider(body));
        const { config, ...others } = body;
        return changeProvider(on, before, {
          ...others,
          ...(config === undefined ? {} : { config: config.auto_provision }),
        });
      });
      return { status: 200, json: { data: detailsOf(provider, context.publicUrl) } };
    },

    async DeleteSSOProvider({ params }, context) {
      const affected_users = await remove(context, ({ id }) => id === params.sso_provider_id);
      return { status: 200, json: { data: { affected_users } } };
    },

    async GetSSOProviderSAMLSigningCertificate({ params }) {
      const provider = await requireProvider(
        db,
        ({ id, type }) => id === params.sso_provider_id && type === 'SAML',
      );
      const { certificate } = await signingKeys.get();
      return {
        status: 200,
        text: certificate,
        mediaType: 'text/plain; charset=utf-8',
        headers: { 'content-disposition': dispositionOf(`${provider.slug}-signing-certificate.pem`) },
      };
    },

    async ListSamlProviders(_, { publicUrl }) {
      const providers = (await listProviders(db)).filter(({ type }) => type === 'SAML');
      const saml_providers = providers.map((provider) => samlRecord(provider, publicUrl));
      return { status: 200, json: { data: { saml_providers } } };
    },

    async GetSamlSignSignOnEndpoints(_, { publicUrl }) {
      const providers = (await listProviders(db)).filter(({ type }) => type === 'SAML');
      const endpoints = providers.map(({ name, slug }) => {
        const { login } = addressesOf(publicUrl, slug);
        return { name, initiation_url: login, idp_url: login };
      });
      return { status: 200, json: { data: { endpoints } } };
    },

    async GetSamlProvider({ params }, { publicUrl }) {
      const provider = await requireProvider(db, ({ saml }) => saml?.id === params.saml_provider_id);
      return { status: 200, json: { data: samlRecord(provider, publicUrl) } };
    },

    async DeleteSamlProvider({ params }, context) {
      const affected_user = await remove(context, ({ saml }) => saml?.id === params.saml_provider_id);
      return { status: 200, json: { data: { affected_user } } };
    },
  };
}

function mayRead({ permissions }: Principal): boolean {
  return permissions.has('auth/ReadProviders') || permissions.has('auth/ManageProviders');
}

/** The data for a sign-in page. */
function publicRecord({ id, name, type, slug }: StoredProvider, publicUrl: string): SsoProvider {
  const { login, callback } = addressesOf(publicUrl, slug);
  return { id, name, type, slug, login_uri: login, callback_uri: callback };
}

function fullRecord(provider: StoredProvider, publicUrl: string): Partial<SsoProvider> {
  const { auto_provision, default_role_id, role_provision, created_at, updated_at } = provider;
  return {
    details: detailsOf(provider, publicUrl),
    config: { auto_provision: { enabled: auto_provision, default_role_id, role_provision } },
    created_at,
    updated_at,
    deleted_at: NOT_DELETED,
  };
}

/** @throws ApiError 400 */
function requireForm(body: unknown): FormData {
  if (body instanceof FormData) return body;
  throw apiError('invalidProvider', { reason: 'the request must be multipart/form-data' });
}
