/** Binary object ids: SIDs (MS-DTYP 2.4.2) and GUIDs (MS-DTYP 2.3.4). */

/** The bytes are not a valid security descriptor. */
export class DescriptorError extends Error {
  override readonly name = 'DescriptorError';
}

const MAX_SUB_AUTHORITIES = 15;

/** @returns the SID at `at`, and its number of bytes @throws DescriptorError */
export function readSid(
  bytes: Buffer,
  at = 0,
  end = bytes.length,
): { readonly sid: string; readonly size: number } {
  if (at + 8 > end) throw new DescriptorError('a SID is cut off');
  const count = bytes[at + 1];
  const size = 8 + count * 4;
  if (bytes[at] !== 1 || count > MAX_SUB_AUTHORITIES || at + size > end)
    throw new DescriptorError('a SID is not valid');
  const authority = bytes.readUIntBE(at + 2, 6);
  let sid = authority < 2 ** 32 ? `S-1-${authority}` : `S-1-0x${authority.toString(16).toUpperCase()}`;
  for (let part = 0; part < count; part += 1) sid += `-${bytes.readUInt32LE(at + 8 + part * 4)}`;
  return { sid, size };
}

/** @param sid a SID of a directory, with integers: `S-1-5-21-...` */
export function sidBytes(sid: string): Buffer {
  const [, , authority, ...parts] = sid.split('-');
  const bytes = Buffer.alloc(8 + parts.length * 4);
  bytes[0] = 1;
  bytes[1] = parts.length;
  bytes.writeUIntBE(Number(authority), 2, 6);
  for (const [at, part] of parts.entries()) bytes.writeUInt32LE(Number(part), 8 + at * 4);
  return bytes;
}

export const NO_GUID = '00000000-0000-0000-0000-000000000000';

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** @returns the GUID in lower case @throws DescriptorError */
export function readGuid(bytes: Buffer, at = 0): string {
  if (at + 16 > bytes.length) throw new DescriptorError('a GUID is cut off');
  const hex = (...places: readonly number[]): string =>
    places.map((place) => HEX[bytes[at + place]]).join('');
  return `${hex(3, 2, 1, 0)}-${hex(5, 4)}-${hex(7, 6)}-${hex(8, 9)}-${hex(10, 11, 12, 13, 14, 15)}`;
}
