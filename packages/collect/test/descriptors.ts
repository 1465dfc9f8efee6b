/** Binary security descriptors from entries in tests. */
import { sidBytes } from '../src/descriptor/ids.ts';

export { sidBytes };

export interface EntryText {
  readonly sid: string;
  readonly mask: number;
  readonly isDenied?: boolean;
  readonly flags?: number;
  readonly objectType?: string;
  readonly inheritedObjectType?: string;
  /** Bytes of a condition. */
  readonly condition?: Buffer;
}

export function guidBytes(guid: string): Buffer {
  const bytes = Buffer.from(guid.replaceAll('-', ''), 'hex');
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

function entryBytes(entry: EntryText): Buffer {
  const { sid, mask, isDenied = false, flags = 0, objectType, inheritedObjectType, condition } = entry;
  const types = [objectType, inheritedObjectType];
  const isOfObject = types.some((type) => type !== undefined);
  const present = types.reduce((bits, type, at) => (type === undefined ? bits : bits | (1 << at)), 0);
  const ofObject = Buffer.alloc(4);
  ofObject.writeUInt32LE(present);
  const body = Buffer.concat([
    ...(isOfObject
      ? [ofObject, ...types.map((type) => (type === undefined ? Buffer.alloc(0) : guidBytes(type)))]
      : []),
    sidBytes(sid),
    condition ?? Buffer.alloc(0),
  ]);
  const head = Buffer.alloc(8);
  head[0] = (isOfObject ? 5 : 0) + (isDenied ? 1 : 0) + (condition === undefined ? 0 : isOfObject ? 6 : 9);
  head[1] = flags;
  head.writeUInt16LE(head.length + body.length, 2);
  head.writeUInt32LE(mask >>> 0, 4);
  return Buffer.concat([head, body]);
}

/** @param entries undefined for a descriptor without an access list */
export function descriptorBytes(
  owner: string,
  entries: readonly EntryText[] | undefined,
  isProtected = false,
): Buffer {
  const head = Buffer.alloc(20);
  const ownerBytes = sidBytes(owner);
  head[0] = 1;
  head.writeUInt16LE(0x8000 | (entries === undefined ? 0 : 4) | (isProtected ? 0x1000 : 0), 2);
  head.writeUInt32LE(20, 4);
  if (entries === undefined) return Buffer.concat([head, ownerBytes]);
  head.writeUInt32LE(20 + ownerBytes.length, 16);
  const list = Buffer.concat(entries.map(entryBytes));
  const listHead = Buffer.alloc(8);
  listHead[0] = 4;
  listHead.writeUInt16LE(8 + list.length, 2);
  listHead.writeUInt16LE(entries.length, 4);
  return Buffer.concat([head, ownerBytes, listHead, list]);
}
