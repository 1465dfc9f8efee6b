/** Keys of accounts from a keytab of MIT Kerberos or Samba (version 2). */
import { ByteReader, KerberosFileError } from './byteReader.ts';
import { isSupported, type Key } from './encryption.ts';

export interface KeytabEntry {
  /** Name without the realm: `reader`, `host/srv1.example`. */
  readonly principal: string;
  readonly realm: string;
  /** Key version number. */
  readonly version: number;
  readonly key: Key;
}

/** @returns AES keys, the newest and strongest first @throws KerberosFileError */
export function readKeytab(bytes: Buffer): readonly KeytabEntry[] {
  const file = new ByteReader(bytes, 'the keytab');
  if (file.left < 2 || file.unsigned(2) !== 0x0502)
    throw new KerberosFileError('the file is not a keytab of version 2');
  const entries: KeytabEntry[] = [];
  while (file.left >= 4) {
    const size = file.signed32();
    if (size === 0) break;
    // Removed entries are holes: their size is negative.
    const part = file.part(Math.abs(size));
    const entry = size > 0 ? readEntry(part) : undefined;
    if (entry !== undefined) entries.push(entry);
  }
  return entries.sort((a, b) => b.version - a.version || b.key.type - a.key.type);
}

function readEntry(part: ByteReader): KeytabEntry | undefined {
  const components = part.unsigned(2);
  const realm = part.counted(2).toString('utf8');
  const names: string[] = [];
  for (let count = 0; count < components; count += 1) names.push(part.counted(2).toString('utf8'));
  // The type of the name, and the time when the key was written.
  part.bytes(8);
  const shortVersion = part.unsigned(1);
  const type = part.unsigned(2);
  const bytes = Buffer.from(part.counted(2));
  const version = part.left >= 4 ? part.unsigned(4) || shortVersion : shortVersion;
  return isSupported(type) ? { principal: names.join('/'), realm, version, key: { type, bytes } } : undefined;
}
