/** Tickets obtained by `kinit`, from a credential cache file (MIT Kerberos, version 4). */
import { ByteReader, KerberosFileError } from './byteReader.ts';
import { isSupported, type Key } from './encryption.ts';

export interface CachedTicket {
  /** Name of the service without its realm: `krbtgt/EXAMPLE.TEST`. */
  readonly service: string;
  readonly realm: string;
  readonly key: Key;
  /** Expiration time in seconds since 1970. */
  readonly endsAt: number;
  /** The ticket as issued by the controller. */
  readonly ticket: Buffer;
}

export interface CredentialCache {
  /** Name without the realm. */
  readonly user: string;
  readonly realm: string;
  /** Only tickets with AES. */
  readonly tickets: readonly CachedTicket[];
}

const NAME_OF_CONFIGURATION = 'X-CACHECONF:';

/** @throws KerberosFileError */
export function readCredentialCache(bytes: Buffer): CredentialCache {
  const file = new ByteReader(bytes, 'the credential cache');
  if (file.left < 4 || file.unsigned(2) !== 0x0504)
    throw new KerberosFileError('the file is not a credential cache of version 4');
  file.bytes(file.unsigned(2));
  const owner = readPrincipal(file);
  const tickets: CachedTicket[] = [];
  while (file.left > 0) {
    const ticket = readTicket(file);
    if (ticket !== undefined) tickets.push(ticket);
  }
  return { user: owner.name, realm: owner.realm, tickets };
}

function readPrincipal(file: ByteReader): { readonly name: string; readonly realm: string } {
  file.bytes(4);
  const components = file.unsigned(4);
  const realm = file.counted(4).toString('utf8');
  const names: string[] = [];
  for (let count = 0; count < components; count += 1) names.push(file.counted(4).toString('utf8'));
  return { name: names.join('/'), realm };
}

function readTicket(file: ByteReader): CachedTicket | undefined {
  readPrincipal(file);
  const { name, realm } = readPrincipal(file);
  const type = file.unsigned(2);
  const bytes = Buffer.from(file.counted(4));
  // The time of the sign-in, and the start of the ticket's validity.
  file.bytes(8);
  const endsAt = file.unsigned(4);
  // The end of renewal, whether it is a user-to-user ticket, and its flags.
  file.bytes(4 + 1 + 4);
  for (const _list of ['addresses', 'authorization data'])
    for (let count = file.unsigned(4); count > 0; count -= 1) {
      file.bytes(2);
      file.counted(4);
    }
  const ticket = Buffer.from(file.counted(4));
  file.counted(4);
  if (realm === NAME_OF_CONFIGURATION || !isSupported(type)) return undefined;
  return { service: name, realm, key: { type, bytes }, endsAt, ticket };
}
