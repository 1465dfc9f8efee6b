/**
 * Cuts a stream of chunks of any size into blocks of one size (the last may be smaller). Inflated archives come
 * in 16 kB pieces, which would cut every fourth object in two; uploads may come in one piece of any size.
 */

export const BLOCK_BYTES = 256 * 1024;

/** A block is valid until the next one is asked for: its memory is used again. */
export async function* inBlocks(
  chunks: AsyncIterable<Uint8Array>,
  blockBytes = BLOCK_BYTES,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array | undefined;
  let filled = 0;
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
        yield gathered;
        filled = 0;
      }
    }
  }
  if (gathered !== undefined && filled > 0) yield gathered.subarray(0, filled);
}
