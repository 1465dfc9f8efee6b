/** Messages as chunks: a size of two bytes precedes each chunk, and a size of 0 ends the message. */
import { PackError } from './packReader.ts';

const MAX_CHUNK_BYTES = 0xffff;
const END = Buffer.from([0, 0]);

/** @returns the bytes of a message on the wire */
export function chunked(message: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < message.length; at += MAX_CHUNK_BYTES) {
    const chunk = message.subarray(at, at + MAX_CHUNK_BYTES);
    const size = Buffer.allocUnsafe(2);
    size.writeUInt16BE(chunk.length);
    parts.push(size, chunk);
  }
  return Buffer.concat([...parts, END]);
}

/** Assembles messages from arriving bytes. The bytes are copied, so one-byte chunks need no more memory than long ones. */
export class ChunkReader {
  /** Maximum number of bytes of one message. */
  maxBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;
  /** Remaining bytes of the current chunk. */
  #missing = 0;
  /** First byte of a size whose second byte has not arrived. */
  #half: number | undefined;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Whether part of a message has arrived. */
  get isWithin(): boolean {
    return this.#length > 0 || this.#missing > 0 || this.#half !== undefined;
  }

  /** @returns complete messages, in order @throws PackError for a message that is too large */
  *read(bytes: Buffer): Generator<Buffer> {
    let at = 0;
    while (at < bytes.length) {
      if (this.#missing > 0) {
        const part = bytes.subarray(at, at + this.#missing);
        this.#take(part);
        at += part.length;
        continue;
      }
      const byte = bytes[at++];
      if (this.#half === undefined) {
        this.#half = byte;
        continue;
      }
      const size = this.#half * 0x100 + byte;
      this.#half = undefined;
      if (this.#length + size > this.maxBytes)
        throw new PackError(`a message has more than ${this.maxBytes} bytes`);
      if (size > 0) this.#missing = size;
      // An empty message only keeps the connection open.
      else if (this.#length > 0) yield this.#message();
    }
  }

  #take(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    part.copy(this.#bytes, this.#length);
    this.#length = length;
    this.#missing -= part.length;
  }

  #message(): Buffer {
    const message = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    return message;
  }
}
