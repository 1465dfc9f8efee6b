/**
 * Recognizes objects by their bytes, so that they need not be read again. The facts of an object depend on its bytes, the header of its
 * file, the limits and the code; a digest covers all of these.
 */
import { createHash, hash } from 'node:crypto';
import type { CollectionHeader } from './header.ts';
import type { ReadLimits } from './limits.ts';

const DIGEST_BYTES = 16;

export interface KnownObjects {
  /** Identifies everything outside the file that the facts and their storage depend on: the code. */
  readonly context: Uint8Array;
  /** @param digest valid during the call @returns true for a known object, which counts as read and is skipped */
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

  /** @returns a digest that is valid until the next call */
  of(bytes: Uint8Array): Buffer {
    const digest = this.#digest;
    // One call, because creating a hash and updating it twice takes longer than hashing a small object. The result is a text, because a
    // million separate buffers would be tracked outside the heap.
    digest.write(hash('sha256', bytes, 'binary'), 'latin1');
    for (let at = 0; at < DIGEST_BYTES; at++) digest[at] ^= this.#ofFile[at];
    return digest;
  }
}
