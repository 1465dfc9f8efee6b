/** Invalid answers of a token endpoint. */
import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type AnswerTo, type HostileOidc, tokensWith, unsigned } from '../hostileOidc.ts';

export type OidcAttack = readonly [
  name: string,
  answer: (peer: HostileOidc) => Promise<AnswerTo> | AnswerTo,
  reason: RegExp,
];

const HOUR = 3600;
const now = (): number => Math.floor(Date.now() / 1000);

/** Signed by the provider itself. */
const claiming = (more: () => JWTPayload | Readonly<Record<string, unknown>>) => async (peer: HostileOidc) =>
  tokensWith(await peer.sign(peer.claims(more() as JWTPayload)));
const withToken = (make: (peer: HostileOidc) => Promise<string> | string) => async (peer: HostileOidc) =>
  tokensWith(await make(peer));
const answering = (answer: AnswerTo) => () => answer;
const json = (text: string) => answering((response) => void response.end(text));

const INVALID = /JW[TSE]|claim|unexpected|invalid|signature|nonce/i;

export const OIDC_CLAIMS: readonly OidcAttack[] = [
  ['another audience', claiming(() => ({ aud: 'other' })), INVALID],
  ['another issuer', claiming(() => ({ iss: 'https://evil.example' })), INVALID],
  [
    'an issuer that only looks similar',
    async (peer) => claiming(() => ({ iss: `${peer.issuer}/` }))(peer),
    INVALID,
  ],
  ['no issuer', claiming(() => ({ iss: undefined })), INVALID],
  ['one that has expired', claiming(() => ({ exp: now() - HOUR })), INVALID],
  ['one that expired two minutes ago', claiming(() => ({ exp: now() - 120 })), INVALID],
  ['no end', claiming(() => ({ exp: undefined })), INVALID],
  ['an end that is a text', claiming(() => ({ exp: '9999999999' })), INVALID],
  ['no time of issue', claiming(() => ({ iat: undefined })), INVALID],
  ['one that is not valid yet', claiming(() => ({ nbf: now() + HOUR })), INVALID],
  ['another nonce', claiming(() => ({ nonce: 'other' })), INVALID],
  ['no nonce', claiming(() => ({ nonce: undefined })), INVALID],
  ['a nonce of another type', claiming(() => ({ nonce: 7 })), INVALID],
  ['no subject', claiming(() => ({ sub: undefined })), INVALID],
  ['a subject that is not a text', claiming(() => ({ sub: 7 })), INVALID],
  [
    'several audiences without the party it was made for',
    claiming(() => ({ aud: ['clew', 'other'] })),
    INVALID,
  ],
  ['another party it was made for', claiming(() => ({ aud: ['clew', 'other'], azp: 'other' })), INVALID],
  ['no audience', claiming(() => ({ aud: undefined })), INVALID],
  ['no address', claiming(() => ({ email: undefined })), /no claim contains an email address/],
  ['an address that is not one', claiming(() => ({ email: 'someone' })), /email address/],
  ['an address with a line break', claiming(() => ({ email: 'some\none@acme.example' })), /email address/],
  ['an address in a list', claiming(() => ({ email: ['someone@acme.example'] })), /email address/],
  ['an address that is not verified', claiming(() => ({ email_verified: false })), /not verified/],
  ['an address that is verified by a text', claiming(() => ({ email_verified: 'false' })), /not verified/],
  [
    'an address that is verified by a true text',
    claiming(() => ({ email_verified: 'true' })),
    /not verified/,
  ],
  ['an address that is verified by a number', claiming(() => ({ email_verified: 0 })), /not verified/],
  ['an address that is verified by nothing', claiming(() => ({ email_verified: null })), /not verified/],
  [
    'the name of a user with a password',
    claiming(() => ({ email: undefined, preferred_username: 'admin' })),
    /email address/,
  ],
];

export const OIDC_SIGNATURES: readonly OidcAttack[] = [
  ['another key', withToken((peer) => peer.sign(peer.claims(), {}, 'other')), INVALID],
  ['a key that is not known', withToken((peer) => peer.sign(peer.claims(), { kid: 'unknown' })), INVALID],
  ['no signature', withToken((peer) => unsigned({ alg: 'none' }, peer.claims())), INVALID],
  ['none in another spelling', withToken((peer) => unsigned({ alg: 'nOnE' }, peer.claims())), INVALID],
  [
    'no signature, though it names a key',
    withToken((peer) => unsigned({ alg: 'RS256', kid: 'key' }, peer.claims())),
    INVALID,
  ],
  [
    'a signature of zeros',
    withToken((peer) => unsigned({ alg: 'RS256', kid: 'key' }, peer.claims(), 'A'.repeat(342))),
    INVALID,
  ],
  [
    'the public key as a secret',
    withToken((peer) =>
      new SignJWT(peer.claims())
        .setProtectedHeader({ alg: 'HS256', kid: 'key' })
        .sign(Buffer.from(JSON.stringify(peer.jwk))),
    ),
    INVALID,
  ],
  [
    'a key in its header',
    withToken(async (peer) => {
      const { privateKey, publicKey } = await generateKeyPair('RS256');
      return new SignJWT(peer.claims())
        .setProtectedHeader({ alg: 'RS256', jwk: (await exportJWK(publicKey)) as never })
        .sign(privateKey);
    }),
    INVALID,
  ],
  [
    'the address of a key in its header',
    withToken((peer) => peer.sign(peer.claims(), { jku: 'https://evil.example/jwks' }, 'other')),
    INVALID,
  ],
  [
    'an extension that has to be understood',
    withToken((peer) => peer.sign(peer.claims(), { crit: ['x'], x: 1 })),
    INVALID,
  ],
  ['four parts', withToken(async (peer) => `${await peer.sign(peer.claims())}.AAAA`), INVALID],
  [
    'two parts',
    withToken(async (peer) => (await peer.sign(peer.claims())).split('.').slice(0, 2).join('.')),
    INVALID,
  ],
  [
    'five parts, as of one that is encrypted',
    withToken(async (peer) => `${await peer.sign(peer.claims())}.AAAA.AAAA`),
    INVALID,
  ],
  ['claims that are a list', withToken(() => unsigned({ alg: 'RS256', kid: 'key' }, [])), INVALID],
  [
    'claims that were changed after they were signed',
    withToken(async (peer) => {
      const [head, , signature] = (await peer.sign(peer.claims())).split('.');
      const claims = { ...peer.claims(), email: 'mallory@acme.example' };
      return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    }),
    INVALID,
  ],
];

const ANY = /\S{3}/;
const flood =
  (bytes: Buffer | string): AnswerTo =>
  (response) => {
    const send = (): void => {
      if (!response.destroyed) response.write(bytes, () => setImmediate(send));
    };
    send();
  };

export const OIDC_ANSWERS: readonly OidcAttack[] = [
  ['no ID token', answering(tokensWith(undefined)), ANY],
  ['a text that is not JSON', json('<html>'), ANY],
  ['an empty answer', json(''), ANY],
  ['a list', json('[]'), ANY],
  ['nothing', json('null'), ANY],
  ['an ID token that is a number', answering(tokensWith(7 as never)), ANY],
  ['an error', answering((response) => void response.writeHead(400).end('{"error":"invalid_grant"}')), ANY],
  [
    'an error without JSON',
    answering((response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>no</h1>')),
    ANY,
  ],
  [
    'a redirection',
    answering((response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()),
    ANY,
  ],
  ['an answer without end', answering(flood(randomBytes(64 * 1024))), /too much/],
  [
    'a token of another type',
    async (peer) => tokensWith(await peer.sign(peer.claims()), { token_type: 'mac' }),
    ANY,
  ],
  [
    'no type of token',
    async (peer) => tokensWith(await peer.sign(peer.claims()), { token_type: undefined }),
    ANY,
  ],
  [
    'no access token',
    async (peer) => tokensWith(await peer.sign(peer.claims()), { access_token: undefined }),
    ANY,
  ],
  [
    'a switch of protocols',
    answering(
      (response) =>
        void response.socket?.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
        ),
    ),
    /101/,
  ],
  [
    'half an answer',
    answering((response) => {
      response.write('{"id_token":');
      response.destroy();
    }),
    ANY,
  ],
];
