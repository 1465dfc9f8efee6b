/** Parameters and provider metadata that neither start nor complete a sign-in. */
import type { AnswerTo, HostileOidc } from '../hostileOidc.ts';

/** Parameters that a browser returns, given its state. */
export type BroughtBack = (side: {
  readonly state: string;
  /** @returns the state of a sign-in that another browser started */
  other(): Promise<string>;
  /** @returns the state of a sign-in at another provider that this browser started */
  elsewhere(): Promise<string>;
  /** Returns the correct parameters first. */
  bring(): Promise<void>;
}) => Promise<Readonly<Record<string, string>>>;

export const OIDC_BROWSERS: readonly (readonly [string, BroughtBack, RegExp])[] = [
  ['no code', async ({ state }) => ({ state }), /`code` parameter is missing/],
  ['no state', async () => ({ code: 'x' }), /`state` parameter is missing/],
  ['an empty state', async () => ({ code: 'x', state: '' }), /`state`/],
  ['a state of its own', async () => ({ code: 'x', state: 'own' }), /`state` do not match/],
  [
    'the state of another browser',
    async ({ other }) => ({ code: 'x', state: await other() }),
    /`state` do not match/,
  ],
  [
    'the state of a sign-in at another provider',
    async ({ elsewhere }) => ({ code: 'x', state: await elsewhere() }),
    /`pkce` is missing/,
  ],
  [
    'a state that was already used',
    async ({ state, bring }) => {
      await bring();
      return { code: 'x', state };
    },
    /`state` is missing|`pkce` is missing/,
  ],
  [
    'an error of the provider',
    async ({ state }) => ({ error: 'access_denied', error_description: '<script>', state }),
    /access_denied|authorization response/i,
  ],
  ['an answer of SAML', async () => ({ SAMLResponse: 'PGEvPg==' }), /`code` parameter is missing/],
  [
    'the issuer of another provider',
    async ({ state }) => ({ code: 'x', state, iss: 'https://evil.example' }),
    /iss|issuer/i,
  ],
];

const METADATA =
  (change: (peer: HostileOidc, issuer: string) => object) =>
  (peer: HostileOidc, issuer: string): AnswerTo =>
  (response) =>
    void response.end(JSON.stringify({ ...peer.metadata(issuer), ...change(peer, issuer) }));
const says =
  (text: string, status = 200) =>
  (): AnswerTo =>
  (response) =>
    void response.writeHead(status).end(text);

/** Keyed by the path of the issuer. */
export const OIDC_DISCOVERIES: readonly (readonly [
  string,
  (peer: HostileOidc, issuer: string) => AnswerTo,
  RegExp,
])[] = [
  ['is another issuer', METADATA(() => ({ issuer: 'https://evil.example' })), /issuer/i],
  ['names no issuer', METADATA(() => ({ issuer: undefined })), /issuer/i],
  [
    'stands for many tenants',
    METADATA((peer) => ({ issuer: `${peer.issuer}/{tenantid}/v2.0` })),
    /issuer|list the tenants/,
  ],
  ['is not JSON', says('<html>'), /\S{3}/],
  ['is a list', says('[]'), /\S{3}/],
  ['does not exist', says('{}', 404), /\S{3}/],
  ['redirects', () => (response) => void response.writeHead(302, { location: '/' }).end(), /\S{3}/],
  [
    'switches protocols',
    () => (response) =>
      void response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      ),
    /101/,
  ],
  ['closes the connection', () => (response) => void response.destroy(), /\S{3}/],
  [
    'has no end',
    () => (response) => {
      const send = (): void => {
        if (!response.destroyed) response.write(' '.repeat(65_536), () => setImmediate(send));
      };
      send();
    },
    /too much/,
  ],
];
