/**
 * Security descriptors: the owner of an object and its access list (MS-DTYP 2.4.6). Others can write these bytes to the directory, so every
 * offset and length is checked.
 */
import { DescriptorError, NO_GUID, readGuid, readSid } from './ids.ts';

export interface AccessEntry {
  readonly isDenied: boolean;
  /** Bits of `ENTRY_FLAG`. */
  readonly flags: number;
  /** Bits of `RIGHT`, never generic ones. */
  readonly mask: number;
  /** The attribute, property set or extended right to which the entry is limited; '' for all. */
  readonly objectType: string;
  /** The class of objects that inherits the entry; '' for all. */
  readonly inheritedObjectType: string;
  readonly sid: string;
  /** Whether the entry has a condition, which cannot be evaluated here. */
  readonly isConditional: boolean;
}

export interface SecurityDescriptor {
  /** '' if missing. */
  readonly owner: string;
  readonly entries: readonly AccessEntry[];
  /** Without an access list, everyone has all rights. */
  readonly hasAccessList: boolean;
  /** Whether inheritance from parents is disabled. */
  readonly isProtected: boolean;
}

/** Rights in directories (MS-ADTS 5.1.3.2). */
export const RIGHT = {
  createChild: 0x1,
  deleteChild: 0x2,
  list: 0x4,
  self: 0x8,
  read: 0x10,
  write: 0x20,
  deleteTree: 0x40,
  listObject: 0x80,
  extended: 0x100,
  delete: 0x10000,
  readControl: 0x20000,
  writeDacl: 0x40000,
  writeOwner: 0x80000,
  all: 0xf01ff,
} as const;

/** Flags of entries (MS-DTYP 2.4.4.1). */
export const ENTRY_FLAG = { container: 0x2, noPropagate: 0x4, inheritOnly: 0x8, inherited: 0x10 } as const;

const CONTROL = { hasDacl: 0x4, isProtected: 0x1000, isSelfRelative: 0x8000 } as const;
const HEAD_BYTES = 20;

/** Entry types (MS-DTYP 2.4.4.1): allowed and denied, for all or for an object type, with and without a condition. */
const PLAIN: readonly number[] = [0, 1, 9, 10];
const OF_OBJECT: readonly number[] = [5, 6, 11, 12];
const DENIED: readonly number[] = [1, 6, 10, 12];
const CONDITIONAL: readonly number[] = [9, 10, 11, 12];

/** @throws DescriptorError */
export function readDescriptor(bytes: Buffer): SecurityDescriptor {
  if (bytes.length < HEAD_BYTES || bytes[0] !== 1)
    throw new DescriptorError('the bytes are not a security descriptor');
  const control = bytes.readUInt16LE(2);
  if ((control & CONTROL.isSelfRelative) === 0)
    throw new DescriptorError('the security descriptor is not self-relative');
  const ownerAt = bytes.readUInt32LE(4);
  const listAt = bytes.readUInt32LE(16);
  const hasAccessList = (control & CONTROL.hasDacl) !== 0 && listAt !== 0;
  return {
    owner: ownerAt === 0 ? '' : readSid(bytes, ownerAt).sid,
    entries: hasAccessList ? readAccessList(bytes, listAt) : [],
    hasAccessList,
    isProtected: (control & CONTROL.isProtected) !== 0,
  };
}

function readAccessList(bytes: Buffer, start: number): readonly AccessEntry[] {
  if (start + 8 > bytes.length) throw new DescriptorError('the access control list is truncated');
  const end = start + bytes.readUInt16LE(start + 2);
  if (end > bytes.length) throw new DescriptorError('the access control list is longer than its descriptor');
  const entries: AccessEntry[] = [];
  let at = start + 8;
  for (let left = bytes.readUInt16LE(start + 4); left > 0; left -= 1) {
    if (at + 4 > end) throw new DescriptorError('an entry is cut off');
    const size = bytes.readUInt16LE(at + 2);
    if (size < 8 || at + size > end) throw new DescriptorError('an entry is longer than its list');
    const entry = readEntry(bytes, at, at + size);
    if (entry !== undefined) entries.push(entry);
    at += size;
  }
  return entries;
}

/** @returns undefined for other entry types, which belong to audit lists */
function readEntry(bytes: Buffer, at: number, end: number): AccessEntry | undefined {
  const type = bytes[at];
  const isOfObject = OF_OBJECT.includes(type);
  if (!isOfObject && !PLAIN.includes(type)) return undefined;
  let next = at + 8;
  const types = ['', ''];
  if (isOfObject) {
    if (next + 4 > end) throw new DescriptorError('an entry is too short');
    const present = bytes.readUInt32LE(next);
    next += 4;
    for (const position of [0, 1]) {
      if ((present & (1 << position)) === 0) continue;
      if (next + 16 > end) throw new DescriptorError('an entry is too short');
      const guid = readGuid(bytes, next);
      types[position] = guid === NO_GUID ? '' : guid;
      next += 16;
    }
  }
  return {
    isDenied: DENIED.includes(type),
    flags: bytes[at + 1],
    mask: specificRights(bytes.readUInt32LE(at + 4)),
    objectType: types[0],
    inheritedObjectType: types[1],
    sid: readSid(bytes, next, end).sid,
    isConditional: CONDITIONAL.includes(type),
  };
}

/** Maps generic rights to their meaning in a directory; controllers keep the generic form in inherit-only entries (MS-ADTS 5.1.3.2). */
function specificRights(mask: number): number {
  let rights = mask & 0x1fffff;
  if ((mask & 0x10000000) !== 0) rights |= RIGHT.all;
  if ((mask & 0x40000000) !== 0) rights |= RIGHT.readControl | RIGHT.write | RIGHT.self;
  if ((mask & 0x80000000) !== 0) rights |= RIGHT.readControl | RIGHT.list | RIGHT.read | RIGHT.listObject;
  if ((mask & 0x20000000) !== 0) rights |= RIGHT.readControl | RIGHT.list;
  return rights;
}
