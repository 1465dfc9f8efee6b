/**
 * The bytes of a collection file. A source can be opened more than once: collectors write `meta` last, so the type of the objects may only
 * be known after the end of the file was read.
 */
export interface CollectionSource {
  /** Name for reports, as known to the user. */
  readonly name: string;
  /** Starts another pass over all bytes. Chunks may have any size; they are not kept. */
  open(): AsyncIterable<Uint8Array>;
  /**
   * The last bytes of the file, at most `length`. Implement this if it is cheap; without it, the reader needs another pass over the whole
   * file.
   */
  tail?(length: number): Promise<Uint8Array>;
}

/**
 * The bytes are not available because their container is damaged. A reader reports it as a fault of the file; any other error of a source
 * is rethrown.
 */
export class DamagedSourceError extends Error {
  override readonly name = 'DamagedSourceError';
}

/** A file in memory, as one or more pieces. */
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
