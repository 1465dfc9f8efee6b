/** Messages of Kerberos 5 (RFC 4120, 5): requests for tickets, and their answers. */
import { BER_TAG, BerError, BerReader, fieldOf } from '../ber/reader.ts';
import { berContext, berInteger, berOctets, berSequence, berValue } from '../ber/writer.ts';
import { encrypt, isSupported, type Key, keyBytes } from './encryption.ts';

export const NAME_TYPE = { principal: 1, service: 2 } as const;

export const KERBEROS_ERROR = { passwordNeeded: 25, clockSkew: 37 } as const;

/** Uses of keys (RFC 4120, 7.5.1). */
export const KEY_USAGE = {
  timestamp: 1,
  signInAnswer: 3,
  ticketRequestChecksum: 6,
  ticketRequestAuthenticator: 7,
  ticketAnswer: 8,
  serviceAuthenticator: 11,
  serviceAnswer: 12,
} as const;

const VERSION = 5;
const HOURS_OF_TICKET = 8;

export const generalString = (text: string): Buffer => berValue(BER_TAG.generalString, text);

export const principalName = (type: number, ...parts: readonly string[]): Buffer =>
  berSequence(berContext(0, berInteger(type)), berContext(1, berSequence(...parts.map(generalString))));

export const kerberosTime = (time: Date): Buffer =>
  berValue(BER_TAG.generalizedTime, `${time.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`);

export function bitString(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(value >>> 0, 1);
  return berValue(BER_TAG.bitString, bytes);
}

export interface RequestBody {
  readonly options: number;
  readonly realm: string;
  /** The client, in requests with a password. */
  readonly client?: Buffer;
  readonly service: Buffer;
  readonly types: readonly number[];
  readonly nonce: number;
}

export const requestBody = ({ options, realm, client, service, types, nonce }: RequestBody): Buffer =>
  berSequence(
    berContext(0, bitString(options)),
    ...(client === undefined ? [] : [berContext(1, client)]),
    berContext(2, generalString(realm)),
    berContext(3, service),
    berContext(5, kerberosTime(new Date(Date.now() + HOURS_OF_TICKET * 3_600_000))),
    berContext(7, berInteger(nonce)),
    berContext(8, berSequence(...types.map((type) => berInteger(type)))),
  );

/** Pre-authentication of the client: an encrypted timestamp, or a ticket. */
export interface Proof {
  readonly type: number;
  readonly value: Buffer;
}

/** @param kind 10 for a sign-in, 12 for a service ticket */
export const ticketRequest = (kind: 10 | 12, proofs: readonly Proof[], body: Buffer): Buffer =>
  berValue(
    0x60 + kind,
    berSequence(
      berContext(1, berInteger(VERSION)),
      berContext(2, berInteger(kind)),
      ...(proofs.length === 0 ? [] : [berContext(3, berSequence(...proofs.map(encodeProof)))]),
      berContext(4, body),
    ),
  );

const encodeProof = ({ type, value }: Proof): Buffer =>
  berSequence(berContext(1, berInteger(type)), berContext(2, berOctets(value)));

export const encryptedData = (type: number, cipher: Buffer): Buffer =>
  berSequence(berContext(0, berInteger(type)), berContext(2, berOctets(cipher)));

export interface AuthenticatorParts {
  readonly client: Buffer;
  readonly realm: string;
  /** Milliseconds by which the controller's clock is ahead. */
  readonly skewMs: number;
  readonly checksum: { readonly type: number; readonly value: Buffer };
  readonly subkey?: Key;
  readonly sequence?: number;
}

/** Proves that the sender of a ticket has its key (RFC 4120, 5.5.1). */
export function authenticator(key: Key, usage: number, parts: AuthenticatorParts): Buffer {
  const { client, realm, skewMs, checksum, subkey, sequence } = parts;
  const now = new Date(Date.now() + skewMs);
  const optional = [
    ...(subkey === undefined ? [] : [berContext(6, keyValue(subkey))]),
    ...(sequence === undefined ? [] : [berContext(7, berInteger(sequence))]),
  ];
  const plain = berSequence(
    berContext(0, berInteger(VERSION)),
    berContext(1, generalString(realm)),
    berContext(2, client),
    berContext(
      3,
      berSequence(berContext(0, berInteger(checksum.type)), berContext(1, berOctets(checksum.value))),
    ),
    berContext(4, berInteger(now.getUTCMilliseconds() * 1000)),
    berContext(5, kerberosTime(now)),
    ...optional,
  );
  return encrypt(key, usage, berValue(0x62, plain));
}

const keyValue = (key: Key): Buffer =>
  berSequence(berContext(0, berInteger(key.type)), berContext(1, berOctets(key.bytes)));

/** A ticket with its authenticator. */
export const ticketProof = (ticket: Buffer, key: Key, sealed: Buffer, options: number): Buffer =>
  berValue(
    0x6e,
    berSequence(
      berContext(0, berInteger(VERSION)),
      berContext(1, berInteger(14)),
      berContext(2, bitString(options)),
      berContext(3, ticket),
      berContext(4, encryptedData(key.type, sealed)),
    ),
  );

export interface PasswordKind {
  readonly type: number;
  readonly salt: string;
  readonly iterations: number;
}

export type TicketAnswer =
  | { readonly ticket: Buffer; readonly type: number; readonly cipher: Buffer }
  | {
      readonly error: number;
      /** How keys are derived from passwords for this account; only in an answer that requests pre-authentication. */
      readonly kinds: readonly PasswordKind[];
      readonly serverTime: Date | undefined;
    };

const ERROR_TAG = 0x7e;
const ANSWER_TAGS: readonly number[] = [0x6b, 0x6d];
const GENERIC_ERROR = 60;
const MAX_KINDS = 20;

/** @throws BerError if the bytes are not an answer */
export function readTicketAnswer(bytes: Buffer): TicketAnswer {
  const reader = new BerReader(bytes);
  const tag = reader.peek();
  if (tag !== ERROR_TAG && !ANSWER_TAGS.includes(tag))
    throw new BerError('the server does not speak Kerberos');
  const fields = reader.enter().enter(BER_TAG.sequence).fields();
  if (tag === ERROR_TAG) {
    const error = fields.get(6)?.integer() ?? GENERIC_ERROR;
    const data = fields.get(12)?.octets();
    const kinds = data !== undefined && error === KERBEROS_ERROR.passwordNeeded ? passwordKinds(data) : [];
    return { error, kinds, serverTime: readTime(fields.get(4)?.text(BER_TAG.generalizedTime)) };
  }
  const ticket = fieldOf(fields, 5);
  const sealed = fieldOf(fields, 6).enter(BER_TAG.sequence).fields();
  return {
    ticket: Buffer.from(bytes.subarray(ticket.at, ticket.end)),
    type: fieldOf(sealed, 0).integer(),
    cipher: fieldOf(sealed, 2).octets(),
  };
}

const ETYPE_INFO2 = 19;

function passwordKinds(data: Buffer): readonly PasswordKind[] {
  const kinds: PasswordKind[] = [];
  const list = new BerReader(data).enter(BER_TAG.sequence);
  while (list.hasMore) {
    const proof = list.enter(BER_TAG.sequence).fields();
    if (proof.get(1)?.integer() !== ETYPE_INFO2) continue;
    const infos = new BerReader(fieldOf(proof, 2).octets()).enter(BER_TAG.sequence);
    while (infos.hasMore && kinds.length < MAX_KINDS) {
      const info = infos.enter(BER_TAG.sequence).fields();
      const rounds = info.get(2)?.octets();
      kinds.push({
        type: fieldOf(info, 0).integer(),
        salt: info.get(1)?.text(BER_TAG.generalString) ?? '',
        iterations: rounds?.length === 4 ? rounds.readUInt32BE(0) : 4096,
      });
    }
  }
  return kinds;
}

function readTime(text: string | undefined): Date | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
    .exec(text ?? '')
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/**
 * The key in the encrypted part of an answer.
 * @throws Error if it answers another request, or has an unsupported key type
 */
export function readSessionKey(plain: Buffer, nonce: number): Key {
  const fields = new BerReader(plain).enter().enter(BER_TAG.sequence).fields();
  if (fieldOf(fields, 2).integer() !== nonce)
    throw new Error('Kerberos: a response belongs to another request');
  return readKey(fieldOf(fields, 0));
}

/** The service of a ticket, from the encrypted part of an answer; '' if missing. */
export function readServiceName(plain: Buffer): string {
  const fields = new BerReader(plain).enter().enter(BER_TAG.sequence).fields();
  const names = fields.get(10)?.enter(BER_TAG.sequence).fields().get(1)?.enter(BER_TAG.sequence);
  const parts: string[] = [];
  while (names?.hasMore) parts.push(names.text(BER_TAG.generalString));
  return parts.join('/');
}

/** @throws Error if the key is not an AES key, or has the wrong length */
export function readKey(field: BerReader): Key {
  const key = field.enter(BER_TAG.sequence).fields();
  const type = fieldOf(key, 0).integer();
  const bytes = Buffer.from(fieldOf(key, 1).octets());
  if (!isSupported(type) || bytes.length !== keyBytes(type))
    throw new Error(`Kerberos: the domain controller returned a key of type ${type}, which is not AES`);
  return { type, bytes };
}
