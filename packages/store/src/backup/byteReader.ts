/** Splits a stream of bytes into pieces of requested lengths, and buffers at most one piece and one chunk. */
import { BackupError } from './backupError.ts';

export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** @returns a view of `length` bytes @throws BackupError if the stream ends earlier */
  async take(length: number): Promise<Buffer> {
    const parts = [this.#held];
    let held = this.#held.length;
    while (held < length) {
      const { value, done } = await this.#chunks.next();
      if (done === true) throw new BackupError('the backup is truncated: use another one');
      parts.push(value);
      held += value.length;
    }
    const all = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    this.#held = all.subarray(length);
    return all.subarray(0, length);
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done === true) return true;
      this.#held = value;
    }
    return false;
  }

  /** @returns the rest of the stream */
  async *rest(): AsyncGenerator<Buffer> {
    while (!(await this.isAtEnd())) {
      const held = this.#held;
      this.#held = Buffer.alloc(0);
      yield held;
    }
  }
}
