/** A column of texts: UTF-8 bytes in one heap with offsets. */
export interface TextColumn {
  readonly bytes: Uint8Array;
  /** count + 1 entries; text n stands at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
}
