/** The text of a source in blocks, for one pass. */
import { BadFileError } from './badFileError.ts';
import { fileFault } from './fileFault.ts';
import type { CollectionSource } from './source.ts';
import { inBlocks } from './text/blocks.ts';
import { readUtf8, type Utf8Text } from './text/utf8Text.ts';

const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const EMPTY_ZIP = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Whether the first bytes are those of a zip archive. */
export function looksLikeArchive(head: Uint8Array): boolean {
  return ZIP.equals(head.subarray(0, ZIP.length));
}

/** Whether the first bytes are those of an empty zip archive. */
export function looksLikeEmptyArchive(head: Uint8Array): boolean {
  return EMPTY_ZIP.equals(head.subarray(0, EMPTY_ZIP.length));
}

/**
 * Blocks are valid until the next one is requested.
 * @throws BadFileError if the bytes are not text; the errors of the source; the signal's reason
 */
export async function* textBlocks(
  source: CollectionSource,
  text: Utf8Text,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const block of inBlocks(readUtf8(source.open(), text))) {
    signal?.throwIfAborted();
    if (first && (looksLikeArchive(block) || GZIP.equals(block.subarray(0, GZIP.length)))) {
      throw new BadFileError(fileFault('nested-archive'));
    }
    first = false;
    yield block;
  }
}
