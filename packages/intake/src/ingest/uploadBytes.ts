/** Reads a stored upload sequentially or at any offset, one chunk at a time. */

import { copyOut } from '@clew/store';
import type pg from 'pg';
import { CHUNK_BYTES, unpack } from './uploadChunks.ts';

/** Number of cached chunks, for adjacent reads, such as reads of an archive directory. */
const CACHED_CHUNKS = 4;

export class UploadBytes {
  readonly size: number;
  readonly #pool: pg.Pool;
  readonly #fileId: number;
  readonly #cache = new Map<number, Promise<Buffer>>();

  constructor(pool: pg.Pool, fileId: number, size: number) {
    this.#pool = pool;
    this.#fileId = fileId;
    this.size = size;
  }

  /** All bytes in order. Prefetches the next chunk while one is used. */
  async *stream(): AsyncGenerator<Buffer> {
    const count = Math.ceil(this.size / CHUNK_BYTES);
    for (let number = 0; number < count; number++) {
      const chunk = this.#chunk(number);
      if (number + 1 < count) this.#chunk(number + 1).catch(() => {});
      yield await chunk;
    }
  }

  /** @returns the bytes from `offset` on; fewer than `length` only at the end of the file */
  async read(offset: number, length: number): Promise<Buffer> {
    const end = Math.min(offset + length, this.size);
    const parts: Buffer[] = [];
    for (let at = offset; at < end; ) {
      const number = Math.floor(at / CHUNK_BYTES);
      const start = at - number * CHUNK_BYTES;
      const part = (await this.#chunk(number)).subarray(start, start + end - at);
      parts.push(part);
      at += part.length;
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts);
  }

  #chunk(number: number): Promise<Buffer> {
    const cached = this.#cache.get(number);
    if (cached !== undefined) return cached;
    const chunk = this.#load(number);
    this.#cache.set(number, chunk);
    if (this.#cache.size > CACHED_CHUNKS) this.#cache.delete(this.#cache.keys().next().value as number);
    return chunk;
  }

  async #load(number: number): Promise<Buffer> {
    let stored: { readonly bytes: Buffer; readonly packed: boolean } | undefined;
    const client = await this.#pool.connect();
    try {
      // Reads raw bytes over COPY, because a query would return hexadecimal text. Both numbers are trusted.
      const chunk = `select bytes, packed from upload_chunk where file_id = ${this.#fileId} and number = ${number}`;
      await copyOut(client, chunk, (row) => {
        stored = { bytes: Buffer.from(row.field(0)), packed: row.bool(1) };
      });
      client.release();
    } catch (error) {
      this.#cache.delete(number);
      client.release(true);
      throw error;
    }
    if (stored === undefined) throw new Error(`chunk ${number} of upload file ${this.#fileId} is missing`);
    return unpack(stored.bytes, stored.packed);
  }
}
