/** Sign-in, the caller, API tokens (`docs/reference/api.md#signing-in`). */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { uuidId } from '../parameters.ts';
import { CollectorClient } from '../schemas/collectors.ts';
import { dataOf } from '../schemas/common.ts';
import {
  AUTH_TOKEN_COLUMNS,
  AuthToken,
  CreateTokenRequest,
  LoginAnswer,
  LoginRequest,
  User,
} from '../schemas/identity.ts';
import { defineRoutes } from './defineRoutes.ts';

const OWN_TOKENS = ['auth/CreateToken'] as const;

export const identityRoutes = defineRoutes([
  {
    method: 'POST',
    path: '/api/v2/login',
    operationId: 'Login',
    tag: 'Auth',
    summary: 'Sign in with a secret; the answer contains a session token',
    access: 'none',
    rateClass: 'login',
    bodyKind: 'json',
    body: LoginRequest,
    maxBodyBytes: 64 * 1024,
    responses: { 200: dataOf(LoginAnswer) },
    errors: [401, 403],
  },
  {
    method: 'POST',
    path: '/api/v2/logout',
    operationId: 'Logout',
    tag: 'Auth',
    summary: 'End the session',
    access: 'none',
    responses: { 200: null },
    errors: [401],
  },
  {
    method: 'GET',
    path: '/api/v2/self',
    operationId: 'GetSelf',
    tag: 'Auth',
    summary: 'The caller: a user with roles and permissions, or a collector',
    access: 'any',
    responses: { 200: dataOf(Type.Union([User, CollectorClient])) },
  },
  {
    method: 'GET',
    path: '/api/v2/tokens',
    operationId: 'ListAuthTokens',
    tag: 'API Tokens',
    summary: 'List API tokens, without their keys',
    access: OWN_TOKENS,
    query: Type.Object(listParameters(AUTH_TOKEN_COLUMNS)),
    columns: AUTH_TOKEN_COLUMNS,
    responses: { 200: dataOf(Type.Object({ tokens: Type.Array(AuthToken) })) },
  },
  {
    method: 'POST',
    path: '/api/v2/tokens',
    operationId: 'CreateAuthToken',
    tag: 'API Tokens',
    summary: 'Create an API token; the answer shows its key, once',
    access: OWN_TOKENS,
    bodyKind: 'json',
    body: CreateTokenRequest,
    responses: { 200: dataOf(AuthToken) },
    errors: [404],
  },
  {
    method: 'DELETE',
    path: '/api/v2/tokens/{token_id}',
    operationId: 'DeleteAuthToken',
    tag: 'API Tokens',
    summary: 'Revoke an API token',
    access: OWN_TOKENS,
    params: Type.Object({ token_id: uuidId('The id of the token') }),
    responses: { 200: null },
    errors: [404],
  },
]);
