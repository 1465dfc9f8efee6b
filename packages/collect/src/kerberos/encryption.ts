/**
 * Kerberos encryption: AES-256 and AES-128 with HMAC-SHA1-96 (RFC 3961, RFC 3962). Older types are not supported, which excludes
 * directories that only use RC4.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  pbkdf2Sync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Encryption type numbers (RFC 3962, 7). */
export const AES128 = 17;
export const AES256 = 18;
export type EncryptionType = typeof AES128 | typeof AES256;

export interface Key {
  readonly type: EncryptionType;
  readonly bytes: Buffer;
}

/** The bytes were encrypted with another key, or changed in transit. */
export class IntegrityError extends Error {
  override readonly name = 'IntegrityError';
}

const BLOCK = 16;
const CHECKSUM_BYTES = 12;
/** The controller chooses the number of iterations; more than these would take minutes. */
const MAX_ITERATIONS = 2 ** 20;

export const isSupported = (type: number): type is EncryptionType => type === AES128 || type === AES256;

export const keyBytes = (type: EncryptionType): number => (type === AES256 ? 32 : 16);

/** Derives the key from a password (RFC 3962, 4). @throws Error for a number of iterations that no controller uses */
export function keyOfPassword(type: EncryptionType, password: string, salt: string, iterations = 4096): Key {
  if (iterations < 1 || iterations > MAX_ITERATIONS)
    throw new Error(`Kerberos: the domain controller requires ${iterations} iterations for the password`);
  const bytes = pbkdf2Sync(Buffer.from(password), Buffer.from(salt), iterations, keyBytes(type), 'sha1');
  return { type, bytes: derivedKey({ type, bytes }, Buffer.from('kerberos')) };
}

/** @param usage key usage number (RFC 4120, 7.5.1): each usage has its own keys */
export function encrypt(key: Key, usage: number, plain: Buffer): Buffer {
  const whole = Buffer.concat([randomBytes(BLOCK), plain]);
  const sealed = encryptBlocks(usageKey(key, usage, 0xaa), whole);
  return Buffer.concat([sealed, checksumWith(usageKey(key, usage, 0x55), whole)]);
}

/** @throws IntegrityError */
export function decrypt(key: Key, usage: number, sealed: Buffer): Buffer {
  if (sealed.length < BLOCK + CHECKSUM_BYTES)
    throw new IntegrityError('Kerberos: an encrypted part is too short');
  const end = sealed.length - CHECKSUM_BYTES;
  const whole = decryptBlocks(usageKey(key, usage, 0xaa), sealed.subarray(0, end));
  if (!timingSafeEqual(checksumWith(usageKey(key, usage, 0x55), whole), sealed.subarray(end)))
    throw new IntegrityError('Kerberos: a key does not match, or a message was changed in transit');
  return whole.subarray(BLOCK);
}

export const checksum = (key: Key, usage: number, bytes: Buffer): Buffer =>
  checksumWith(usageKey(key, usage, 0x99), bytes);

const checksumWith = (key: Buffer, bytes: Buffer): Buffer =>
  createHmac('sha1', key).update(bytes).digest().subarray(0, CHECKSUM_BYTES);

/** Derived keys by key and usage: a session encrypts thousands of messages with two of them. */
const derived = new WeakMap<Key, Map<string, Buffer>>();

function usageKey(key: Key, usage: number, part: 0x99 | 0xaa | 0x55): Buffer {
  let known = derived.get(key);
  if (known === undefined) {
    known = new Map();
    derived.set(key, known);
  }
  const name = `${usage} ${part}`;
  let found = known.get(name);
  if (found === undefined) {
    const constant = Buffer.alloc(5);
    constant.writeUInt32BE(usage);
    constant[4] = part;
    found = derivedKey(key, constant);
    known.set(name, found);
  }
  return found;
}

/** DK of RFC 3961, 5.1. */
function derivedKey(key: Key, constant: Buffer): Buffer {
  const blocks: Buffer[] = [];
  let block = folded(constant, BLOCK);
  for (let size = 0; size < keyBytes(key.type); size += BLOCK) {
    block = encryptBlock(key.bytes, block);
    blocks.push(block);
  }
  return Buffer.concat(blocks).subarray(0, keyBytes(key.type));
}

/** n-fold of RFC 3961, 5.1: each repetition of the input is rotated by 13 more bits, and all are added in ones' complement. */
export function folded(input: Buffer, size: number): Buffer {
  const bits = input.length * 8;
  const length = leastCommonMultiple(input.length, size);
  const sum = new Uint8Array(size);
  let carry = 0;
  for (let at = length - 1; at >= 0; at -= 1) {
    // The position, from the end of the input, of the highest bit of byte `at` of the rotated repetitions.
    const repetition = Math.floor(at / input.length);
    const place = (bits - 1 + (bits + 13) * repetition + (input.length - (at % input.length)) * 8) % bits;
    const high = input[(input.length - 1 - (place >>> 3)) % input.length];
    const low = input[(input.length - (place >>> 3)) % input.length];
    carry += sum[at % size] + ((((high << 8) | low) >>> ((place & 7) + 1)) & 0xff);
    sum[at % size] = carry & 0xff;
    carry >>>= 8;
  }
  for (let at = size - 1; carry > 0; at = (at + size - 1) % size) {
    carry += sum[at];
    sum[at] = carry & 0xff;
    carry >>>= 8;
  }
  return Buffer.from(sum);
}

function leastCommonMultiple(a: number, b: number): number {
  const divisor = (x: number, y: number): number => (y === 0 ? x : divisor(y, x % y));
  return (a * b) / divisor(a, b);
}

function encryptBlock(key: Buffer, block: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

function decryptBlock(key: Buffer, block: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

/** CBC with ciphertext stealing (RFC 3962, 5): no padding is sent, and the last two blocks are always swapped. */
export function encryptBlocks(key: Buffer, plain: Buffer): Buffer {
  const missing = (BLOCK - (plain.length % BLOCK)) % BLOCK;
  const padded = Buffer.concat([plain, Buffer.alloc(missing)]);
  if (padded.length === BLOCK) return encryptBlock(key, padded);
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(BLOCK)).setAutoPadding(false);
  const sealed = Buffer.concat([cipher.update(padded), cipher.final()]);
  const lastAt = sealed.length - BLOCK;
  const beforeAt = lastAt - BLOCK;
  return Buffer.concat([
    sealed.subarray(0, beforeAt),
    sealed.subarray(lastAt),
    sealed.subarray(beforeAt, lastAt - missing),
  ]);
}

/** @param sealed at least one block */
export function decryptBlocks(key: Buffer, sealed: Buffer): Buffer {
  if (sealed.length === BLOCK) return decryptBlock(key, sealed);
  const tail = sealed.length % BLOCK || BLOCK;
  const beforeAt = sealed.length - tail - BLOCK;
  const last = sealed.subarray(beforeAt, beforeAt + BLOCK);
  // The bytes stolen from the previous block are the end of the decrypted last one.
  const stolen = decryptBlock(key, last).subarray(tail);
  const whole = Buffer.concat([
    sealed.subarray(0, beforeAt),
    sealed.subarray(beforeAt + BLOCK),
    stolen,
    last,
  ]);
  const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(BLOCK)).setAutoPadding(
    false,
  );
  return Buffer.concat([cipher.update(whole), cipher.final()]).subarray(0, sealed.length);
}
