import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SecretBox, SecretBoxError } from './secretBox.ts';

const box = new SecretBox(randomBytes(32));

describe('a secret box', () => {
  it('returns the encrypted text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, purpose) => {
        expect(box.open(box.seal(secret, purpose), purpose)).toBe(secret);
      }),
    );
  });

  it('encrypts the same secret differently each time, and never as plain text', () => {
    const first = box.seal('a secret of some length', 'token');
    expect(first.equals(box.seal('a secret of some length', 'token'))).toBe(false);
    expect(first.includes('secret')).toBe(false);
  });

  it('cannot be decrypted for another purpose or with another key', () => {
    const sealed = box.seal('secret', 'auth_token:1');
    expect(() => box.open(sealed, 'auth_token:2')).toThrow(SecretBoxError);
    expect(() => new SecretBox(randomBytes(32)).open(sealed, 'auth_token:1')).toThrow(SecretBoxError);
  });

  it('cannot be decrypted after any change or truncation', () => {
    const sealed = box.seal('secret', 'p');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] ^= 1;
      expect(() => box.open(changed, 'p')).toThrow(SecretBoxError);
      expect(() => box.open(sealed.subarray(0, at), 'p')).toThrow(SecretBoxError);
    }
  });
});
