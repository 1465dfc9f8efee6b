/**
 * Objects that are known by their bytes, so that they need not be read again. What reading an object gives depends on its bytes,
 * the header of its file, the limits and the code; a digest stands for all of them.
 */
import { createHash, hash } from 'node:crypto';
import type { CollectionHeader } from './header.ts';
import type { ReadLimits } from './limits.ts';

const DIGEST_BYTES = 16;

export interface KnownObjects {
  /** Stands for all that reading and keeping an object depends on and that is not in its file: the code. */
  readonly context: Uint8Array;
  /** @param digest valid during the call @returns true for an object that is known: it counts as read, and is not handed over */
  passes(digest: Uint8Array): boolean;
}

/** Digests of the objects of one file, 16 bytes each. */
export class ObjectDigests {
  readonly #ofFile: Buffer;
  readonly #digest = Buffer.alloc(DIGEST_BYTES);

  constructor(context: Uint8Array, header: CollectionHeader, limits: ReadLimits) {
    const told = JSON.stringify([header, limits], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    this.#ofFile = createHash('sha256').update(context).update(told).digest();
  }

  /** @returns a digest that is valid until the next one is asked for */
  of(bytes: Uint8Array): Buffer {
    const digest = this.#digest;
    // In one call: to begin a hash and feed it twice takes longer than to hash a small object. As a text: a buffer of its own for
    // each of a million objects would be counted, and given back, outside the heap.
    digest.write(hash('sha256', bytes, 'binary'), 'latin1');
    for (let at = 0; at < DIGEST_BYTES; at++) digest[at] ^= this.#ofFile[at];
    return digest;
  }
}
