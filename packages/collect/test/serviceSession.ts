/** The service side of a sealed session (RFC 4121, 4.2.4): decrypts client messages, and encrypts answers. */
import { decrypt, encrypt, type Key } from '../src/kerberos/encryption.ts';

/** Key usages (RFC 4121, 2). */
const SEALED_BY_SERVICE = 22;
const SEALED_BY_CLIENT = 24;
/** Sent by the service, encrypted, with the key that it chose. */
const FLAGS = 7;

export class ServiceSession {
  readonly #key: Key;
  #sequence = 0n;

  constructor(key: Key) {
    this.#key = key;
  }

  open(message: Buffer): Buffer {
    const plain = decrypt(this.#key, SEALED_BY_CLIENT, message.subarray(16));
    return plain.subarray(0, plain.length - 16);
  }

  /** @returns the message preceded by its length */
  sealed(plain: Buffer): Buffer {
    const head = Buffer.alloc(16);
    head.writeUInt16BE(0x0504);
    head[2] = FLAGS;
    head[3] = 0xff;
    head.writeBigUInt64BE(this.#sequence++, 8);
    const message = Buffer.concat([
      head,
      encrypt(this.#key, SEALED_BY_SERVICE, Buffer.concat([plain, head])),
    ]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(message.length);
    return Buffer.concat([length, message]);
  }
}
