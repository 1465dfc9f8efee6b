/**
 * Browser sign-in for assistants (OAuth 2.1, as the Model Context Protocol requires). The authorization endpoint is a page of the
 * web interface: it shows the client to the signed-in user, and sends the decision with the session, which no other site can do.
 */
import { MCP_PATH } from '@clew/api';
import {
  apiError,
  type Handlers,
  type RequestContext,
  recordAudit,
  recordSuccess,
  requireUser,
  storableText,
} from '@clew/common';
import type { Db } from '@clew/store';
import { trustedAddress } from '../sso/addresses.ts';
import { ACCESS_SECONDS, type AssistantGrants, type Exchanged } from './grants.ts';
import { faultOfRedirect, isRegistered } from './redirectAddress.ts';

interface OAuthParts {
  readonly db: Db;
  readonly assistants: AssistantGrants;
  /** Configured address of the service. */
  readonly publicUrl: string | undefined;
}

type Operations =
  | 'GetProtectedResourceMetadata'
  | 'GetAuthorizationServerMetadata'
  | 'RegisterOAuthClient'
  | 'DecideAuthorization'
  | 'ExchangeOAuthToken'
  | 'RevokeOAuthToken';

/** An S256 challenge (RFC 7636, section 4.2). */
const CHALLENGE = /^[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;
const MAX_TOKEN = 200;

export function oauthHandlers({ db, assistants, publicUrl }: OAuthParts): Handlers<Operations> {
  const baseOf = (context: RequestContext): string => trustedAddress(publicUrl, context.publicUrl);

  return {
    async GetProtectedResourceMetadata(_, context) {
      const base = baseOf(context);
      const json = {
        ...{ resource: base + MCP_PATH, authorization_servers: [base] },
        ...{ bearer_methods_supported: ['header'], resource_name: 'Clew' },
      };
      return { status: 200, json };
    },

    async GetAuthorizationServerMetadata(_, context) {
      const base = baseOf(context);
      const json = {
        issuer: base,
        authorization_endpoint: `${base}/ui/authorize`,
        token_endpoint: `${base}/api/v2/oauth/token`,
        registration_endpoint: `${base}/api/v2/oauth/register`,
        revocation_endpoint: `${base}/api/v2/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: GRANT_TYPES,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
      };
      return { status: 200, json };
    },

    async RegisterOAuthClient({ body }, context) {
      const { redirect_uris, client_name = '' } = body;
      for (const uri of redirect_uris) {
        const fault = faultOfRedirect(uri);
        if (fault !== undefined) return refusal('invalid_redirect_uri', `redirect_uris: ${fault}`);
      }
      const name = storableText(client_name).trim() || 'An assistant without a name';
      const id = await db.transaction().execute(async (transaction) => {
        const given = { name, redirectUris: redirect_uris, address: context.clientAddress };
        const made = await assistants.register(transaction, given);
        const fields = { client_id: made, client_name: name, redirect_uris: redirect_uris.join(' ') };
        await recordSuccess(transaction, context, 'RegisterOAuthClient', fields);
        return made;
      });
      const json = {
        ...{ client_id: id, client_id_issued_at: Math.floor(Date.now() / 1000), client_name: name },
        ...{ redirect_uris, grant_types: GRANT_TYPES, response_types: ['code'] },
        token_endpoint_auth_method: 'none',
      };
      return { status: 201, json };
    },

    async DecideAuthorization({ body }, context) {
      const user = requireUser(context.principal);
      // A token must not grant other tokens.
      if (user.sessionId === undefined) throw apiError('forbidden');
      const base = baseOf(context);
      const client = await assistants.client(body.client_id);
      const refuse = (reason: string) => apiError('invalidAuthorization', { reason });
      if (client === undefined) throw refuse('its client is not registered, or no longer registered');
      if (!isRegistered(body.redirect_uri, client.redirect_uris))
        throw refuse('the redirect address is not one that the client registered');
      if (body.response_type !== 'code') throw refuse('response_type must be code');
      const { code_challenge: challenge = '', code_challenge_method: method, resource } = body;
      if (method !== 'S256' || !CHALLENGE.test(challenge)) throw refuse('PKCE with S256 is required');
      if (resource !== undefined && resource !== base + MCP_PATH)
        throw refuse('the requested resource belongs to another service');
      const shown = { client_name: client.name, redirect_uri: body.redirect_uri };
      if (body.approved === undefined)
        return { status: 200, json: { data: { ...shown, redirect_to: null } } };
      const fields = { client_id: client.id, client_name: client.name, redirect_uri: body.redirect_uri };
      const code = await db.transaction().execute(async (transaction) => {
        const action = body.approved ? 'ApproveOAuthClient' : 'RefuseOAuthClient';
        await recordSuccess(transaction, context, action, fields);
        const given = { clientId: client.id, userId: user.userId, redirectUri: body.redirect_uri, challenge };
        return body.approved ? assistants.grant(transaction, given) : undefined;
      });
      const target = new URL(body.redirect_uri);
      if (code === undefined) target.searchParams.append('error', 'access_denied');
      else target.searchParams.append('code', code);
      if (body.state !== undefined) target.searchParams.append('state', body.state);
      target.searchParams.append('iss', base);
      return { status: 200, json: { data: { ...shown, redirect_to: target.href } } };
    },

    async ExchangeOAuthToken({ body }, context) {
      const form = fieldsOf(body);
      if (form === undefined)
        return refusal('invalid_request', 'the request must be a form without repeated fields');
      const { grant_type, client_id: clientId = '', resource } = form;
      if (resource !== undefined && resource !== baseOf(context) + MCP_PATH)
        return refusal('invalid_target', 'the resource belongs to another service');
      if (!GRANT_TYPES.includes(grant_type ?? ''))
        return refusal('unsupported_grant_type', 'it is neither a code nor a refresh token');
      if ((await assistants.client(clientId)) === undefined)
        return refusal('invalid_client', 'the client is not registered');
      const exchanged = await exchange(form, clientId);
      if ('tokens' in exchanged) {
        const { access, refresh } = exchanged.tokens;
        const json = {
          access_token: access,
          token_type: 'Bearer',
          expires_in: ACCESS_SECONDS,
          refresh_token: refresh,
        };
        return { status: 200, json, headers: { 'Cache-Control': 'no-store' } };
      }
      // A stranger can send any number of unknown codes: the log of requests has them.
      if (exchanged.userId !== undefined) {
        const fields = { client_id: clientId, reason: exchanged.reason, user_id: exchanged.userId };
        await recordAudit(db, context, { action: 'ExchangeOAuthToken', status: 'failure', fields });
      }
      return refusal('invalid_grant', 'the code or token is not valid: sign in again');
    },

    async RevokeOAuthToken({ body }, context) {
      const { token } = fieldsOf(body) ?? {};
      if (token === undefined) return refusal('invalid_request', 'token is missing');
      await db.transaction().execute(async (transaction) => {
        const ended = await assistants.revoke(transaction, token.slice(0, MAX_TOKEN));
        if (ended !== undefined) await recordSuccess(transaction, context, 'RevokeOAuthToken', ended);
      });
      assistants.forget();
      // RFC 7009, section 2.2: success also for an unknown token.
      return { status: 200 };
    },
  };

  async function exchange(form: Fields, clientId: string): Promise<Exchanged> {
    const { grant_type, code = '', refresh_token = '', redirect_uri = '', code_verifier = '' } = form;
    const token = (grant_type === 'refresh_token' ? refresh_token : code).slice(0, MAX_TOKEN);
    if (grant_type === 'refresh_token') return assistants.refresh({ clientId, token });
    // A malformed verifier matches no challenge; the code is then invalidated.
    const verifier = VERIFIER.test(code_verifier) ? code_verifier : '';
    return assistants.exchangeCode({ clientId, token }, redirect_uri, verifier);
  }
}

const GRANT_TYPES = ['authorization_code', 'refresh_token'];

type Fields = Readonly<Record<string, string | undefined>>;

/** @returns the fields of a form; `undefined` for files, repeated fields (RFC 6749, section 3.2), and for JSON */
function fieldsOf(body: unknown): Fields | undefined {
  if (!(body instanceof FormData)) return undefined;
  const entries = [...body];
  const names = new Set(entries.map(([name]) => name));
  if (names.size !== entries.length || entries.some(([, value]) => typeof value !== 'string'))
    return undefined;
  return Object.fromEntries(entries) as Fields;
}

const refusal = (error: string, error_description: string) =>
  ({ status: 400, json: { error, error_description } }) as const;
