import { expect, it } from 'vitest';
import {
  AES128,
  AES256,
  checksum,
  decrypt,
  decryptBlocks,
  encrypt,
  encryptBlocks,
  folded,
  IntegrityError,
  keyOfPassword,
} from './encryption.ts';

const hex = (bytes: Buffer): string => bytes.toString('hex');

it('folds like the examples of RFC 3961, A.1', () => {
  expect(hex(folded(Buffer.from('012345'), 8))).toBe('be072631276b1955');
  expect(hex(folded(Buffer.from('password'), 7))).toBe('78a07b6caf85fa');
  expect(hex(folded(Buffer.from('Rough Consensus, and Running Code'), 8))).toBe('bb6ed30870b7f0e0');
  expect(hex(folded(Buffer.from('password'), 21))).toBe('59e4a8ca7c0385c3c37b3f6d2000247cb6e6bd5b3e');
  expect(hex(folded(Buffer.from('kerberos'), 16))).toBe('6b65726265726f737b9b5b2b93132b93');
  expect(hex(folded(Buffer.from('Q'), 21))).toBe(
    '518a54a2 15a8452a 518a54a2 15a8452a 518a54a2 15'.replaceAll(' ', ''),
  );
});

it('derives keys from passwords like RFC 3962, B', () => {
  const key = (type: 17 | 18, rounds: number, password: string, salt: string): string =>
    hex(keyOfPassword(type, password, salt, rounds).bytes);
  expect(key(AES128, 1, 'password', 'ATHENA.MIT.EDUraeburn')).toBe('42263c6e89f4fc28b8df68ee09799f15');
  expect(key(AES256, 1, 'password', 'ATHENA.MIT.EDUraeburn')).toBe(
    'fe697b52bc0d3ce14432ba036a92e65bbb52280990a2fa27883998d72af30161',
  );
  expect(key(AES256, 1200, 'password', 'ATHENA.MIT.EDUraeburn')).toBe(
    '55a6ac740ad17b4846941051e1e8b0a7548d93b0ab30a8bc3ff16280382b8c2a',
  );
  expect(key(AES128, 50, '\u{1d11e}', 'EXAMPLE.COMpianist')).toBe('f149c1f2e154a73452d43e7fe62a56e5');
});

it('encrypts blocks like RFC 3962, B', () => {
  const key = Buffer.from('636869636b656e207465726979616b69', 'hex');
  const text = Buffer.from("I would like the General Gau's Chicken, please, and wonton soup.");
  const known: Readonly<Record<number, string>> = {
    17: 'c6353568f2bf8cb4d8a580362da7ff7f97',
    31: 'fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5',
    32: '39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584',
    47: '97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5',
  };
  for (const [length, sealed] of Object.entries(known)) {
    const plain = text.subarray(0, Number(length));
    expect(hex(encryptBlocks(key, plain))).toBe(sealed);
    expect(decryptBlocks(key, Buffer.from(sealed, 'hex'))).toEqual(plain);
  }
});

it.each([AES128, AES256] as const)(
  'decrypts its own output of kind %i, and nothing that was changed',
  (type) => {
    const key = keyOfPassword(type, 'password', 'salt', 1);
    for (let length = 0; length < 70; length += 1) {
      const plain = Buffer.alloc(length, length);
      const sealed = encrypt(key, 3, plain);
      expect(decrypt(key, 3, sealed)).toEqual(plain);
      sealed[length % sealed.length] ^= 1;
      expect(() => decrypt(key, 3, sealed)).toThrow(IntegrityError);
    }
    expect(() => decrypt(key, 4, encrypt(key, 3, Buffer.from('x')))).toThrow(IntegrityError);
    expect(() => decrypt(key, 3, Buffer.alloc(27))).toThrow(IntegrityError);
    expect(checksum(key, 6, Buffer.from('x'))).toHaveLength(12);
  },
);

it('refuses a number of iterations that would take minutes', () => {
  expect(() => keyOfPassword(AES256, 'password', 'salt', 2 ** 31)).toThrow('iterations');
  expect(() => keyOfPassword(AES256, 'password', 'salt', 0)).toThrow('iterations');
});
