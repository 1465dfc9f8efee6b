/**
 * Converts a stream of chunks of any size to blocks of equal size (the last may be smaller). Decompressed archives yield small pieces,
 * which would split many objects; uploads may arrive in one piece of any size.
 */

export const BLOCK_BYTES = 256 * 1024;

/**
 * A block is valid until the next one is requested, because its memory is reused. If the chunks end in an error, all bytes before it are
 * delivered first.
 */
export async function* inBlocks(
  chunks: AsyncIterable<Uint8Array>,
  blockBytes = BLOCK_BYTES,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array | undefined;
  let filled = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of chunks) {
      let at = 0;
      while (at < chunk.length) {
        if (filled === 0 && chunk.length - at >= blockBytes) {
          yield chunk.subarray(at, at + blockBytes);
          at += blockBytes;
          continue;
        }
        gathered ??= Buffer.allocUnsafeSlow(blockBytes);
        const taken = Math.min(blockBytes - filled, chunk.length - at);
        gathered.set(chunk.subarray(at, at + taken), filled);
        filled += taken;
        at += taken;
        if (filled === blockBytes) {
          filled = 0;
          yield gathered;
        }
      }
    }
  } catch (error) {
    failure = { error };
  }
  if (gathered !== undefined && filled > 0) yield gathered.subarray(0, filled);
  if (failure !== undefined) throw failure.error;
}
