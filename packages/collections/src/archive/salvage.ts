/**
 * Finds the members of an archive whose directory is lost, because the file was cut off or damaged: follows the local headers as far as
 * they are valid.
 */
import { getFileNameLowLevel } from 'yauzl';
import { type ByteReader, readExactly } from './byteReader.ts';
import type { ListedMember } from './directory.ts';

// Layouts and signatures: .ZIP File Format Specification (APPNOTE) 4.3.7 local header, 4.3.9 data descriptor.
const HEADER = Buffer.from('PK\x03\x04', 'latin1');
const HEADER_BYTES = 30;
const DESCRIPTOR = Buffer.from('PK\x07\x08', 'latin1');
const DESCRIPTOR_BYTES = 16;
const Flag = { Encrypted: 1, SizesFollow: 8 } as const;
const ZIP64_SIZE = 0xffffffff;

const WINDOW_BYTES = 1024 * 1024;

/** @returns the members in the order of the archive; the last one may be cut off */
export async function salvageMembers(reader: ByteReader, maxEntries: number): Promise<ListedMember[]> {
  const members: ListedMember[] = [];
  let at = 0;
  while (members.length < maxEntries && at + HEADER_BYTES <= reader.size) {
    const header = await readExactly(reader, at, HEADER_BYTES);
    if (!HEADER.equals(header.subarray(0, HEADER.length))) break;
    const nameLength = header.readUInt16LE(26);
    const start = at + HEADER_BYTES + nameLength + header.readUInt16LE(28);
    if (start > reader.size) break;
    const flags = header.readUInt16LE(6);
    const sizes = await findSizes(reader, header, flags, start);
    const name = await readExactly(reader, at + HEADER_BYTES, nameLength);
    members.push({
      name: getFileNameLowLevel(flags, name, [], false),
      method: header.readUInt16LE(8),
      isEncrypted: (flags & Flag.Encrypted) !== 0,
      ...sizes,
      headerOffset: at,
      start: async () => start,
    });
    at = sizes.end;
  }
  return members;
}

interface Sizes {
  readonly compressedSize: number;
  readonly size?: number;
  readonly crc32?: number;
  /** Offset after the member. */
  readonly end: number;
}

async function findSizes(reader: ByteReader, header: Buffer, flags: number, start: number): Promise<Sizes> {
  const compressedSize = header.readUInt32LE(18);
  const follow = (flags & Flag.SizesFollow) !== 0 || compressedSize === ZIP64_SIZE;
  const end = start + compressedSize;
  if (follow) return (await findDescriptor(reader, start)) ?? restOf(reader, start);
  if (end > reader.size) return restOf(reader, start);
  return { compressedSize, size: header.readUInt32LE(22), crc32: header.readUInt32LE(14), end };
}

function restOf(reader: ByteReader, start: number): Sizes {
  return { compressedSize: reader.size - start, end: reader.size };
}

/** A streamed member is followed by its sizes, which must match its length. */
async function findDescriptor(reader: ByteReader, start: number): Promise<Sizes | undefined> {
  for (let base = start; base + DESCRIPTOR_BYTES <= reader.size; base += WINDOW_BYTES) {
    const overlapping = Math.min(WINDOW_BYTES + DESCRIPTOR_BYTES, reader.size - base);
    const window = await readExactly(reader, base, overlapping);
    let at = window.indexOf(DESCRIPTOR);
    for (; at >= 0 && at + DESCRIPTOR_BYTES <= window.length; at = window.indexOf(DESCRIPTOR, at + 1)) {
      const compressedSize = window.readUInt32LE(at + 8);
      if (compressedSize !== base + at - start) continue;
      return {
        compressedSize,
        size: window.readUInt32LE(at + 12),
        crc32: window.readUInt32LE(at + 4),
        end: base + at + DESCRIPTOR_BYTES,
      };
    }
  }
  return undefined;
}
