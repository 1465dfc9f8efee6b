/** The bytes of an archive member: decompressed, limited, and compared with the checksum. */
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { DamagedSourceError } from '../source.ts';
import { type ByteReader, readRange } from './byteReader.ts';

/** Supported compression methods. */
export const Compression = { Stored: 0, Deflated: 8 } as const;

/** The position of a member's bytes, and their expected size and checksum. */
export interface MemberExtent {
  readonly method: number;
  readonly compressedSize: number;
  /** Absent in an archive without its directory. */
  readonly expected?: { readonly size: number; readonly crc32: number };
  /** Maximum number of decompressed bytes. */
  readonly maxBytes: number;
  /** Offset of the first byte in the archive. */
  readonly start: () => Promise<number>;
}

const UNPACK_BYTES = 128 * 1024;

/** @throws DamagedSourceError if the bytes do not match the size or checksum */
export async function* readMember(reader: ByteReader, extent: MemberExtent): AsyncGenerator<Uint8Array> {
  const packed = readRange(reader, await extent.start(), extent.compressedSize);
  let size = 0;
  let checksum = 0;
  for await (const chunk of extent.method === Compression.Stored ? packed : inflate(packed)) {
    size += chunk.length;
    checksum = crc32(chunk, checksum);
    if (size > extent.maxBytes) throw new DamagedSourceError('it is larger than the archive says');
    yield chunk;
  }
  const { expected } = extent;
  if (expected === undefined) return;
  if (size !== expected.size) throw new DamagedSourceError('it is smaller than the archive says');
  if (checksum !== expected.crc32) throw new DamagedSourceError('its checksum does not match');
}

async function* inflate(packed: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const unpacked = createInflateRaw({ chunkSize: UNPACK_BYTES });
  // If the source fails, it destroys the stream that the loop below reads.
  pipeline(Readable.from(packed), unpacked, () => {});
  try {
    yield* unpacked;
  } catch (error) {
    const isCompression = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
    throw isCompression ? new DamagedSourceError('its compressed bytes are damaged or truncated') : error;
  }
}
