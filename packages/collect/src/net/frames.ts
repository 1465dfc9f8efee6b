/**
 * Cuts a stream of bytes into the messages of a protocol. Chunks of a message that has not wholly arrived are kept as they are and united
 * once, so that a long message in small pieces costs no more than its length; messages are taken one at a time, so that a reader that is
 * busy leaves the rest as bytes.
 */

/**
 * @returns the length of the message at `at` with its head; undefined while too little has arrived to know
 * @throws when the bytes are of another protocol, or the message is too long
 */
export type MessageLength = (bytes: Buffer, at: number) => number | undefined;

const NOTHING = Buffer.alloc(0);

export class Frames {
  readonly #lengthOf: MessageLength;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes without which the next message cannot be complete. */
  #needed = 1;

  constructor(lengthOf: MessageLength) {
    this.#lengthOf = lengthOf;
  }

  /** Bytes that were pushed and not taken. */
  get size(): number {
    return this.#size;
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** @returns the next message, a view of the bytes that arrived; undefined while it is not complete. */
  take(): Buffer | undefined {
    if (this.#size < this.#needed) return undefined;
    const bytes = this.#united();
    const length = this.#lengthOf(bytes, 0);
    if (length === undefined || length > bytes.length) {
      this.#needed = length ?? bytes.length + 1;
      return undefined;
    }
    this.#keep(bytes.subarray(length));
    return bytes.subarray(0, length);
  }

  /** @returns all bytes that were not taken; none are left. */
  rest(): Buffer {
    const bytes = this.#united();
    this.#keep(NOTHING);
    return bytes;
  }

  #united(): Buffer {
    return this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks, this.#size);
  }

  #keep(bytes: Buffer): void {
    this.#chunks = bytes.length === 0 ? [] : [bytes];
    this.#size = bytes.length;
    this.#needed = 1;
  }
}

/** Messages with their length in four bytes in front, as Kerberos over TCP and sealed LDAP have them. */
export function lengthInFront(maxBytes: number, what: string): MessageLength {
  return (bytes, at) => {
    if (at + 4 > bytes.length) return undefined;
    const length = bytes.readUInt32BE(at);
    if (length > maxBytes) throw new Error(`${what} has ${length} bytes; the limit is ${maxBytes}`);
    return 4 + length;
  };
}
