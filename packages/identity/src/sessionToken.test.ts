import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { exportSPKI, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { readSessionToken, signSessionToken } from './sessionToken.ts';

const key = new Uint8Array(randomBytes(32));
const now = Date.UTC(2024, 4, 1, 12);
const claims = { sessionId: 17, userId: '54623566-213a-4490-9c68-ac44c39b6590', expiresAt: now + 3600_000 };

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payload = { jti: '17', sub: claims.userId, iss: 'x', iat: now / 1000, exp: now / 1000 + 3600 };

function forge(header: unknown, body: unknown, sign: (text: string) => string): string {
  const text = `${base64url(header)}.${base64url(body)}`;
  return `${text}.${sign(text)}`;
}
const hs256 = (macKey: Uint8Array | string) => (text: string) =>
  createHmac('sha256', macKey).update(text).digest('base64url');

describe('session tokens', () => {
  it('contain the claims of the reference and can be read', async () => {
    const token = await signSessionToken(key, claims, 'https://clew.example', now);
    expect(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())).toEqual({
      jti: '17',
      sub: claims.userId,
      iss: 'https://clew.example',
      iat: now / 1000,
      exp: now / 1000 + 3600,
    });
    expect(await readSessionToken(key, token, now)).toEqual(claims);
  });

  it('accepts a manually built token, so that the refusals below have their own reasons', async () => {
    expect(await readSessionToken(key, forge({ alg: 'HS256' }, payload, hs256(key)), now)).toEqual(claims);
  });

  it('expire', async () => {
    const token = await signSessionToken(key, claims, 'x', now);
    expect(await readSessionToken(key, token, claims.expiresAt)).toBeUndefined();
  });

  it('refuse another key', async () => {
    const token = await signSessionToken(new Uint8Array(randomBytes(32)), claims, 'x', now);
    expect(await readSessionToken(key, token, now)).toBeUndefined();
  });

  it.each(['none', 'None', 'NONE', ''])('refuse algorithm %j', async (alg) => {
    for (const signature of [() => '', hs256(key)]) {
      expect(
        await readSessionToken(key, forge({ alg, typ: 'JWT' }, payload, signature), now),
      ).toBeUndefined();
    }
  });

  it.each(['HS384', 'HS512'])('refuse %s even with the right key', async (alg) => {
    const token = await new SignJWT(payload).setProtectedHeader({ alg }).sign(new Uint8Array(64));
    expect(await readSessionToken(new Uint8Array(64), token, now)).toBeUndefined();
  });

  it('refuse RS256, and HS256 with the text of a public key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rs256 = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    expect(await readSessionToken(key, rs256, now)).toBeUndefined();
    const confused = forge({ alg: 'HS256' }, payload, hs256(await exportSPKI(publicKey)));
    expect(await readSessionToken(key, confused, now)).toBeUndefined();
  });

  it('refuse a key in the token itself', async () => {
    const own = randomBytes(32);
    const jwk = { kty: 'oct', k: own.toString('base64url') };
    expect(
      await readSessionToken(key, forge({ alg: 'HS256', jwk }, payload, hs256(own)), now),
    ).toBeUndefined();
  });

  it.each([
    ['jti', undefined],
    ['jti', 17],
    ['jti', '17; drop'],
    ['jti', '-1'],
    ['jti', '9'.repeat(30)],
    ['sub', undefined],
    ['exp', undefined],
    ['exp', 'never'],
  ])('refuse claim %s of %j with the right key', async (claim, value) => {
    const token = forge({ alg: 'HS256' }, { ...payload, [claim]: value }, hs256(key));
    expect(await readSessionToken(key, token, now)).toBeUndefined();
  });

  it('refuse every single changed character and every truncation', async () => {
    const token = await signSessionToken(key, claims, 'x', now);
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'Q' : 'A';
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      // The last character of the signature has two bits that belong to no byte.
      if (at < token.length - 1) expect(await readSessionToken(key, changed, now)).toBeUndefined();
      expect(await readSessionToken(key, token.slice(0, at), now)).toBeUndefined();
    }
  });

  it('refuse any text that is not a token', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await readSessionToken(key, text, now)).toBeUndefined();
      }),
    );
  });
});
