/**
 * A ticket for a service (RFC 4120, 3.1 and 3.3): a sign-in with a password or a keytab key, or a cached ticket from `kinit`, then the
 * request for the service. A refused sign-in is never repeated, because each attempt counts toward the account lockout.
 */
import { randomInt } from 'node:crypto';
import { berContext, berInteger, berSequence } from '../ber/writer.ts';
import type { Target } from '../net/connect.ts';
import type { CachedTicket, CredentialCache } from './credentialCache.ts';
import {
  AES128,
  AES256,
  checksum,
  decrypt,
  type EncryptionType,
  encrypt,
  IntegrityError,
  isSupported,
  type Key,
  keyOfPassword,
} from './encryption.ts';
import { askKerberos } from './keyDistribution.ts';
import type { KeytabEntry } from './keytab.ts';
import {
  authenticator,
  encryptedData,
  KERBEROS_ERROR,
  KEY_USAGE,
  kerberosTime,
  NAME_TYPE,
  type PasswordKind,
  principalName,
  readServiceName,
  readSessionKey,
  readTicketAnswer,
  requestBody,
  type TicketAnswer,
  ticketProof,
  ticketRequest,
} from './messages.ts';

export interface KerberosAccount {
  /** Name without the realm. */
  readonly user: string;
  /** In upper case. */
  readonly realm: string;
  readonly secret:
    | { readonly password: string }
    | { readonly keytab: readonly KeytabEntry[] }
    | { readonly cache: CredentialCache };
}

/** A ticket with its key and owner. */
export interface Ticket {
  readonly ticket: Buffer;
  readonly key: Key;
  readonly client: Buffer;
  readonly realm: string;
  /** Milliseconds by which the controller's clock is ahead of this one. */
  readonly skewMs: number;
  /** The service named by the controller: the controllers of another domain, if the service belongs to it. */
  readonly service?: string;
}

/** A refused sign-in or ticket. */
export class KerberosError extends Error {
  override readonly name = 'KerberosError';
  /** Error number in RFC 4120, 7.5.9. */
  readonly code: number;

  constructor(code: number, subject: string) {
    super(`Kerberos: ${WORDS[code] ?? `error ${code}`} (${subject})`);
    this.code = code;
  }
}

const WORDS: Readonly<Record<number, string>> = {
  6: 'the account does not exist',
  7: 'the domain controller does not know this service: is the host name the same as in the directory?',
  12: 'the account cannot sign in now or from this host',
  13: 'the domain controller refuses the type of ticket',
  14: 'the account has no AES keys: set its password again, or enable AES for it',
  18: 'the account is disabled, locked or expired',
  23: 'the password has expired: set a new one',
  24: 'the password or key is wrong',
  31: 'a message was changed in transit',
  32: 'the ticket has expired: sign in again (kinit)',
  37: 'the clocks of this host and the domain controller differ by more than five minutes',
  41: 'the ticket and the authenticator do not match',
  52: 'the answer is too long for UDP',
  60: 'the domain controller has an internal error',
  68: 'another domain is responsible for this account: use a domain controller of its own domain',
};

/** Requests a renewable ticket, but no forwardable one. */
const SIGN_IN_OPTIONS = 0x10;
const TICKET_OPTIONS = 0x10000;
const ENCRYPTED_TIME = 2;
const TICKET_OF_SIGN_IN = 1;
const HMAC_SHA1: Readonly<Record<EncryptionType, number>> = { [AES128]: 15, [AES256]: 16 };
const STRONGEST_FIRST: readonly EncryptionType[] = [AES256, AES128];

/** Where to request tickets for services in another domain than the account's. */
export interface OtherRealm {
  /** In upper case. */
  readonly realm: string;
  /** A controller of each domain on the path. */
  readonly kdcOf: (realm: string) => Target | undefined;
}

/**
 * @param service `ldap/dc1.example`
 * @param kdc a controller of the account's domain
 * @param other the domain of the service; default: the account's domain
 * @throws KerberosError, and Error for a server that does not answer
 */
export async function ticketFor(
  kdc: Target,
  account: KerberosAccount,
  service: string,
  other?: OtherRealm,
): Promise<Ticket> {
  const { secret } = account;
  const home = { kdc, realm: account.realm };
  const ask = async (granting: Ticket): Promise<Ticket> => {
    if (other === undefined || other.realm === account.realm) return requestService(home, granting, service);
    const [place, ticket] = await cross(home, granting, other);
    return requestService(place, ticket, service);
  };
  if ('cache' in secret) {
    const cached = cachedTicket(secret.cache, service, account.realm);
    if (cached.service.toLowerCase() === service.toLowerCase()) return ticketOf(account, cached, 0);
    return ask(ticketOf(account, cached, 0));
  }
  return ask(await signIn(kdc, account));
}

/** A domain, and a controller that issues tickets for its services. */
interface Place {
  readonly kdc: Target;
  readonly realm: string;
}

/** Maximum number of domains between that of an account and that of a service, as in a deep tree. */
const MAX_DOMAINS_BETWEEN = 8;

/** Follows trusts from domain to domain, as named by the controllers (RFC 4120, 1.2). */
async function cross(home: Place, granting: Ticket, { realm, kdcOf }: OtherRealm): Promise<[Place, Ticket]> {
  const passed = new Set([home.realm]);
  let place = home;
  let ticket = granting;
  while (place.realm !== realm) {
    ticket = await requestService(place, ticket, `krbtgt/${realm}`);
    const next = /^krbtgt\/(.+)$/.exec(ticket.service ?? '')?.[1]?.toUpperCase() ?? '';
    const kdc = kdcOf(next);
    if (kdc === undefined || passed.has(next) || passed.size > MAX_DOMAINS_BETWEEN)
      throw new Error(`Kerberos: ${place.kdc.host} returns no usable path from ${place.realm} to ${realm}`);
    passed.add(next);
    place = { kdc, realm: next };
  }
  return [place, ticket];
}

const ticketOf = (
  account: KerberosAccount,
  { ticket, key }: Pick<Ticket, 'ticket' | 'key'>,
  skewMs: number,
): Ticket => ({
  ...{ ticket, key, skewMs, realm: account.realm },
  client: principalName(NAME_TYPE.principal, ...account.user.split('/')),
});

function cachedTicket(cache: CredentialCache, service: string, realm: string): CachedTicket {
  const now = Date.now() / 1000;
  const byName = (name: string) =>
    cache.tickets.filter((ticket) => ticket.service.toLowerCase() === name.toLowerCase());
  const all = [...byName(service), ...byName(`krbtgt/${realm}`)];
  const valid = all.find(({ endsAt }) => endsAt > now + 60);
  if (valid !== undefined) return valid;
  if (all.length > 0) throw new KerberosError(32, `${cache.user}@${cache.realm}`);
  throw new Error(
    `the credential cache has no AES ticket for ${realm}: sign in with kinit ${cache.user}@${realm}`,
  );
}

async function signIn(kdc: Target, account: KerberosAccount): Promise<Ticket> {
  const { user, realm, secret } = account;
  const subject = `${user}@${realm}`;
  const ofKeytab = 'keytab' in secret ? keyOf(secret.keytab, account) : undefined;
  const types = ofKeytab === undefined ? STRONGEST_FIRST : [ofKeytab.type];
  const client = principalName(NAME_TYPE.principal, ...user.split('/'));
  const nonce = randomInt(0x7fffffff);
  const service = principalName(NAME_TYPE.service, 'krbtgt', realm);
  const body = requestBody({ options: SIGN_IN_OPTIONS, realm, client, service, types, nonce });

  let answer = readTicketAnswer(await askKerberos(kdc, ticketRequest(10, [], body)));
  if (!('error' in answer) || answer.error !== KERBEROS_ERROR.passwordNeeded) {
    // An account without pre-authentication immediately receives a ticket encrypted with its password.
    if ('error' in answer) throw new KerberosError(answer.error, subject);
  }
  const kinds = 'error' in answer ? answer.kinds : [];
  const key = ofKeytab ?? keyOfKinds(kinds, answer, account, subject);
  let skewMs = 0;
  for (let round = 0; 'error' in answer; round += 1) {
    if (round > 0) {
      // The controller returns its time: a wrong clock requires one more request, as with MIT Kerberos. This is not a password attempt.
      if (answer.error !== KERBEROS_ERROR.clockSkew || round > 1 || answer.serverTime === undefined)
        throw new KerberosError(answer.error, subject);
      skewMs = answer.serverTime.getTime() - Date.now();
    }
    const proof = { type: ENCRYPTED_TIME, value: encryptedTime(key, skewMs) };
    answer = readTicketAnswer(await askKerberos(kdc, ticketRequest(10, [proof], body)));
  }
  const plain = opened(key, KEY_USAGE.signInAnswer, answer, subject);
  return ticketOf(account, { ticket: answer.ticket, key: readSessionKey(plain, nonce) }, skewMs);
}

function keyOf(keytab: readonly KeytabEntry[], { user, realm }: KerberosAccount): Key {
  const name = user.toLowerCase();
  const found = keytab.find(
    (entry) => entry.principal.toLowerCase() === name && entry.realm.toUpperCase() === realm,
  );
  if (found === undefined) throw new Error(`the keytab has no AES key for ${user}@${realm}`);
  return found.key;
}

function keyOfKinds(
  kinds: readonly PasswordKind[],
  answer: TicketAnswer,
  { user, realm, secret }: KerberosAccount,
  subject: string,
): Key {
  const password = 'password' in secret ? secret.password : '';
  if (password === '') throw new Error(`Kerberos: the password of ${subject} is empty`);
  const found = STRONGEST_FIRST.flatMap((type) => kinds.filter((kind) => kind.type === type))[0];
  if (found !== undefined && isSupported(found.type))
    return keyOfPassword(found.type, password, found.salt, found.iterations);
  if ('error' in answer) throw new KerberosError(14, subject);
  if (!isSupported(answer.type)) throw new KerberosError(14, subject);
  return keyOfPassword(answer.type, password, realm + user);
}

function encryptedTime(key: Key, skewMs: number): Buffer {
  const now = new Date(Date.now() + skewMs);
  const plain = berSequence(
    berContext(0, kerberosTime(now)),
    berContext(1, berInteger(now.getUTCMilliseconds() * 1000)),
  );
  return encryptedData(key.type, encrypt(key, KEY_USAGE.timestamp, plain));
}

function opened(
  key: Key,
  usage: number,
  { type, cipher }: { type: number; cipher: Buffer },
  subject: string,
): Buffer {
  if (type !== key.type) throw new KerberosError(14, subject);
  try {
    return decrypt(key, usage, cipher);
  } catch (error) {
    // For an account without pre-authentication, a wrong password is detected here.
    if (error instanceof IntegrityError) throw new KerberosError(24, subject);
    throw error;
  }
}

async function requestService({ kdc, realm }: Place, granting: Ticket, service: string): Promise<Ticket> {
  const { key, client, skewMs } = granting;
  const nonce = randomInt(0x7fffffff);
  const body = requestBody({
    ...{ options: TICKET_OPTIONS, realm, nonce, types: STRONGEST_FIRST },
    service: principalName(NAME_TYPE.service, ...service.split('/')),
  });
  const sum = {
    type: HMAC_SHA1[key.type],
    value: checksum(key, KEY_USAGE.ticketRequestChecksum, body),
  };
  const sealed = authenticator(key, KEY_USAGE.ticketRequestAuthenticator, {
    ...{ client, realm: granting.realm, skewMs, checksum: sum },
  });
  const proof = { type: TICKET_OF_SIGN_IN, value: ticketProof(granting.ticket, key, sealed, 0) };
  const answer = readTicketAnswer(await askKerberos(kdc, ticketRequest(12, [proof], body)));
  if ('error' in answer) throw new KerberosError(answer.error, service);
  const plain = opened(key, KEY_USAGE.ticketAnswer, answer, service);
  return {
    ...granting,
    ticket: answer.ticket,
    key: readSessionKey(plain, nonce),
    service: readServiceName(plain),
  };
}
