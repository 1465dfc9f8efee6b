/** A real OpenID Connect provider on loopback, whose users sign in without a page. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface OidcPeer {
  readonly issuer: string;
  /** Claims of the user that signs in next. */
  claims: Readonly<Record<string, unknown>>;
  /** Subject of the signed-in user. */
  subject: string;
  stop(): Promise<void>;
}

export async function startOidcPeer(clientId: string, callbacks: readonly string[]): Promise<OidcPeer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const peer: OidcPeer = { issuer, claims: {}, subject: 'someone', stop: () => stop(server) };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        redirect_uris: [...callbacks],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: {
      openid: ['sub', 'roles'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'preferred_username'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: async () => ({ ...peer.claims, sub: accountId }),
    }),
    cookies: { keys: ['of the test'] },
  });
  const callback = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      await provider.interactionFinished(request, response, { login: { accountId: peer.subject } });
      return;
    }
    const grant = new provider.Grant({ accountId: peer.subject, clientId: String(params.client_id) });
    grant.addOIDCScope('openid email profile');
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  });
  return peer;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
