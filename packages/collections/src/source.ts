/**
 * Where the bytes of a collection file come from. A source can be opened more than once: collectors write
 * `meta` last, so the type of the objects may only be known after a look at the end of the file.
 */
export interface CollectionSource {
  /** Name for reports, as the user knows the file. */
  readonly name: string;
  /** Starts a new pass over all bytes. Chunks may have any size; they are not kept. */
  open(): AsyncIterable<Uint8Array>;
  /**
   * The last bytes of the file, at most `length`. A source that can reach them cheaply should offer this;
   * without it the reader passes over the whole file once more to find them.
   */
  tail?(length: number): Promise<Uint8Array>;
}

/**
 * The bytes cannot be had because the container they come from is damaged. A reader reports it as a fault of
 * the file; any other error of a source is the caller's and is thrown on.
 */
export class DamagedSourceError extends Error {
  override readonly name = 'DamagedSourceError';
}

/** A file that is already in memory, as one or more pieces. */
export function sourceFromBytes(name: string, ...pieces: readonly Uint8Array[]): CollectionSource {
  return {
    name,
    async *open() {
      yield* pieces;
    },
    async tail(length) {
      const whole = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
      return whole.subarray(Math.max(0, whole.length - length));
    },
  };
}
