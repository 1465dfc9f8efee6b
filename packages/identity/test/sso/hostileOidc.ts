/**
 * An OpenID Connect provider whose answers the test chooses: correct ones, or attacks. Each path under its address is a separate issuer.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export type AnswerTo = (response: ServerResponse) => Promise<void> | void;

export interface HostileOidc {
  readonly issuer: string;
  /** Nonce of the current request. */
  nonce: string;
  /** Answer of the token endpoint. */
  answer: AnswerTo;
  /** The provider's metadata by issuer path; correct by default. */
  readonly discoveries: Map<string, AnswerTo>;
  /** The correct claims, with changes. */
  claims(more?: JWTPayload): JWTPayload;
  /** Signs with its key, or with an unknown one. */
  sign(
    payload: JWTPayload,
    header?: Readonly<Record<string, unknown>>,
    by?: 'own' | 'other',
  ): Promise<string>;
  /** Its published public key. */
  readonly jwk: Readonly<Record<string, unknown>>;
  metadata(issuer: string): Record<string, unknown>;
  stop(): void;
}

export async function startHostileOidc(): Promise<HostileOidc> {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'key', alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const DISCOVERY = '/.well-known/openid-configuration';
  const peer: HostileOidc = {
    ...{ issuer: root, nonce: '', jwk, discoveries: new Map() },
    answer: (response) => void response.writeHead(404).end('{}'),
    claims: (more = {}) => ({
      ...{ iss: root, aud: 'clew', sub: 'someone', nonce: peer.nonce, email: 'someone@acme.example' },
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 300,
      ...more,
    }),
    sign: (payload, header = {}, by = 'own') =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: 'RS256', kid: 'key', ...header })
        .sign((by === 'own' ? own : other).privateKey, { crit: { x: true } }),
    metadata: (issuer) => ({
      issuer,
      authorization_endpoint: `${root}/authorize`,
      token_endpoint: `${root}/token`,
      jwks_uri: `${root}/jwks`,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    }),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  async function serve({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('content-type', 'application/json');
    if (url.endsWith(DISCOVERY)) {
      const path = url.slice(0, -DISCOVERY.length);
      const special = peer.discoveries.get(path);
      if (special === undefined) response.end(JSON.stringify(peer.metadata(root + path)));
      else await special(response);
    } else if (url === '/jwks') response.end(JSON.stringify({ keys: [jwk] }));
    else if (url === '/token') await peer.answer(response);
    else response.writeHead(404).end('{}');
  }
  return peer;
}

/** Claims without a valid signature. */
export const unsigned = (header: object, payload: object, signature = ''): string =>
  [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  `.${signature}`;

/** The answer of a token endpoint. */
export const tokensWith = (idToken: string | undefined, more: object = {}): AnswerTo => {
  const body = { access_token: 'a', token_type: 'Bearer', id_token: idToken, ...more };
  return (response) => void response.end(JSON.stringify(body));
};
