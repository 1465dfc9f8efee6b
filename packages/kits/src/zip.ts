/**
 * A zip archive without compression and without the time of day: the same files give the same bytes.
 *
 * Source: APPNOTE.TXT of PKWARE, 4.3.7 (local file header), 4.3.12 (central directory header), 4.3.16 (end of central directory).
 */
import { crc32 } from 'node:zlib';

export interface KitFile {
  /** Letters, digits, dots, hyphens and slashes. */
  readonly name: string;
  readonly text: string;
}

/** The first day that the form can hold. */
const DATE = 0x21;
const UTF8 = 0x800;

/** @param files in the order in which they are written */
export function zip(files: readonly KitFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const [label, bytes] = [Buffer.from(name, 'utf8'), Buffer.from(text, 'utf8')];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8, 2);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(label.length, 22);
    const head = Buffer.concat([signature(0x04034b50), common, label]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(signature(0x02014b50), version(), common, place, label);
    parts.push(head, bytes);
    offset += head.length + bytes.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, signature(0x06054b50), end]);
}

function signature(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number, 0);
  return bytes;
}

function version(): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(20, 0);
  return bytes;
}
