/**
 * Stored secrets: AES-256-GCM with a key of the installation. An encrypted secret is bound to its purpose (its row), so it cannot be
 * decrypted in another row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
}

export class SecretBox {
  readonly #key: Uint8Array;

  /** @param key 32 bytes */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** @returns format byte, nonce, tag, ciphertext */
  seal(secret: string, purpose: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** @throws SecretBoxError if the bytes, the purpose or the key differ from those at sealing */
  open(sealed: Uint8Array, purpose: string): string {
    if (sealed.length < HEAD_BYTES || sealed[0] !== FORMAT) throw new SecretBoxError('not a sealed secret');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(1, 1 + NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SecretBoxError('an encrypted secret cannot be decrypted', { cause });
    }
  }
}
