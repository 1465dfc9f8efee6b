/**
 * Splits a stream of bytes into the messages of a protocol. Chunks of an incomplete message are kept and concatenated once, so that a long
 * message in small pieces takes linear time. Messages are taken one at a time, so that a busy reader leaves the rest as bytes.
 */

/**
 * @returns the length of the message at `at` including its header; undefined if too few bytes have arrived
 * @throws if the bytes belong to another protocol, or the message is too long
 */
export type MessageLength = (bytes: Buffer, at: number) => number | undefined;

const NOTHING = Buffer.alloc(0);

export class Frames {
  readonly #lengthOf: MessageLength;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Minimum bytes before the next message can be complete. */
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

  /** @returns the next message as a view of the received bytes; undefined while incomplete */
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

  /** Removes all remaining bytes. @returns them */
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

/** Messages preceded by their length in four bytes, as in Kerberos over TCP and sealed LDAP. */
export function lengthInFront(maxBytes: number, what: string): MessageLength {
  return (bytes, at) => {
    if (at + 4 > bytes.length) return undefined;
    const length = bytes.readUInt32BE(at);
    if (length > maxBytes) throw new Error(`${what} has ${length} bytes; the limit is ${maxBytes}`);
    return 4 + length;
  };
}
