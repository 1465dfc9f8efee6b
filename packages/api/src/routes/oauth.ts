/** Signing in by browser for assistants, with OAuth (`docs/integration.md#assistants`). */
import Type from 'typebox';
import { dataOf } from '../schemas/common.ts';
import { defineRoutes } from './defineRoutes.ts';
import { MCP_PATH } from './mcp.ts';

const TAG = 'Assistants';
const Address = Type.String({ maxLength: 2_000 });
const Addresses = Type.Array(Address, { minItems: 1, maxItems: 10 });

/** RFC 6749, section 5.2, and RFC 7591, section 3.2.2. */
const OAuthError = Type.Object({ error: Type.String(), error_description: Type.String() });

const AuthorizationRequest = Type.Object({
  response_type: Type.Optional(Type.String({ maxLength: 100 })),
  client_id: Type.String({ maxLength: 100 }),
  redirect_uri: Address,
  code_challenge: Type.Optional(Type.String({ maxLength: 200 })),
  code_challenge_method: Type.Optional(Type.String({ maxLength: 20 })),
  state: Type.Optional(Type.String({ maxLength: 2_000 })),
  resource: Type.Optional(Address),
  approved: Type.Optional(
    Type.Boolean({
      description: 'The decision of the user; absent to see the requesting client before the decision',
    }),
  ),
});

export const oauthRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    aliases: [`/.well-known/oauth-protected-resource${MCP_PATH}`],
    operationId: 'GetProtectedResourceMetadata',
    tag: TAG,
    summary: 'Where assistants sign in (RFC 9728)',
    access: 'none',
    responses: {
      200: Type.Object({
        resource: Type.String(),
        authorization_servers: Type.Array(Type.String()),
        bearer_methods_supported: Type.Array(Type.String()),
        resource_name: Type.String(),
      }),
    },
    errors: [409],
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    operationId: 'GetAuthorizationServerMetadata',
    tag: TAG,
    summary: 'How assistants sign in (RFC 8414)',
    access: 'none',
    responses: {
      200: Type.Object({
        issuer: Type.String(),
        authorization_endpoint: Type.String(),
        token_endpoint: Type.String(),
        registration_endpoint: Type.String(),
        revocation_endpoint: Type.String(),
        response_types_supported: Type.Array(Type.String()),
        grant_types_supported: Type.Array(Type.String()),
        code_challenge_methods_supported: Type.Array(Type.String()),
        token_endpoint_auth_methods_supported: Type.Array(Type.String()),
        revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
        authorization_response_iss_parameter_supported: Type.Boolean(),
      }),
    },
    errors: [409],
  },
  {
    method: 'POST',
    path: '/api/v2/oauth/register',
    operationId: 'RegisterOAuthClient',
    tag: TAG,
    summary: 'Register an assistant (RFC 7591); it has no access before a user signs in',
    access: 'none',
    rateClass: 'login',
    bodyKind: 'json',
    body: Type.Object({
      redirect_uris: Addresses,
      client_name: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    maxBodyBytes: 1024 * 1024,
    responses: {
      201: Type.Object({
        client_id: Type.String(),
        client_id_issued_at: Type.Integer(),
        client_name: Type.String(),
        redirect_uris: Addresses,
        grant_types: Type.Array(Type.String()),
        response_types: Type.Array(Type.String()),
        token_endpoint_auth_method: Type.String(),
      }),
      400: OAuthError,
    },
  },
  {
    method: 'POST',
    path: '/api/v2/oauth/decisions',
    operationId: 'DecideAuthorization',
    tag: TAG,
    summary: "The client that requests read access for the user of this session, and the user's decision",
    access: ['graphdb/Read'],
    bodyKind: 'json',
    body: AuthorizationRequest,
    responses: {
      200: dataOf(
        Type.Object({
          client_name: Type.String({ description: 'The name that the client gives itself' }),
          redirect_uri: Type.String({ description: 'Address that the browser opens next' }),
          redirect_to: Type.Union([Type.String(), Type.Null()], {
            description: 'The address with the code or the refusal; null before a decision',
          }),
        }),
      ),
    },
    errors: [409],
  },
  {
    method: 'POST',
    path: '/api/v2/oauth/token',
    operationId: 'ExchangeOAuthToken',
    tag: TAG,
    summary: 'Exchange a code or a refresh token for tokens; each works only once; a form',
    access: 'none',
    bodyKind: 'form',
    responses: {
      200: Type.Object({
        access_token: Type.String(),
        token_type: Type.String(),
        expires_in: Type.Integer(),
        refresh_token: Type.String(),
      }),
      400: OAuthError,
    },
    errors: [409],
  },
  {
    method: 'POST',
    path: '/api/v2/oauth/revoke',
    operationId: 'RevokeOAuthToken',
    tag: TAG,
    summary: 'Revoke a token and all related tokens (RFC 7009); a form',
    access: 'none',
    bodyKind: 'form',
    responses: { 200: null, 400: OAuthError },
  },
]);
