/**
 * A sign-in to a service with a ticket: SPNEGO with Kerberos (RFC 4178, RFC 4121), with proof that the service has its key, followed by an
 * encrypted session.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { BER_TAG, BerReader, fieldOf } from '../ber/reader.ts';
import { berContext, berOctets, berOid, berSequence, berValue } from '../ber/writer.ts';
import { decrypt, encrypt, type Key, keyBytes } from './encryption.ts';
import { authenticator, KEY_USAGE, readKey, ticketProof } from './messages.ts';
import type { Ticket } from './tickets.ts';

/** The key and numbers agreed on in a sign-in. */
export interface Session {
  readonly key: Key;
  /** Whether the service created the key. */
  readonly isOfService: boolean;
  /** Sequence number of the first message to send. */
  readonly sequence: number;
}

export interface SignIn {
  /** The bytes to send. */
  readonly token: Buffer;
  /**
   * Reads the answer of the service.
   * @throws Error if it does not prove that the service has the key of the ticket
   */
  finish(answer: Buffer): Session;
}

export interface SignInOptions {
  /** `sealed`: encrypted; `none` only if TLS encrypts, or if nothing secret is sent. */
  readonly protection: 'sealed' | 'signed' | 'none';
  /** Certificate of the server (DER), to which the sign-in is bound. */
  readonly serverCertificate?: Buffer;
}

const KERBEROS = berOid('1.2.840.113554.1.2.2');
const SPNEGO = berOid('1.3.6.1.5.5.2');
/** Flags of RFC 4121, 4.1.1.1. */
const FLAG = { mutual: 2, replay: 4, sequence: 8, confidential: 0x10, integrity: 0x20 } as const;
const MUTUAL_REQUIRED = 0x20000000;
const GSS_CHECKSUM = 0x8003;

export function beginSignIn(ticket: Ticket, options: SignInOptions): SignIn {
  const { key, client, realm, skewMs } = ticket;
  const subkey: Key = { type: key.type, bytes: randomBytes(keyBytes(key.type)) };
  const sequence = randomInt(0x3fffffff);
  const checksum = { type: GSS_CHECKSUM, value: gssChecksum(options) };
  const sealed = authenticator(key, KEY_USAGE.serviceAuthenticator, {
    ...{ client, realm, skewMs, checksum, subkey, sequence },
  });
  const proof = ticketProof(ticket.ticket, key, sealed, MUTUAL_REQUIRED);
  const inner = berValue(0x60, KERBEROS, Buffer.from([1, 0]), proof);
  const first = berSequence(berContext(0, berSequence(KERBEROS)), berContext(2, berOctets(inner)));
  return {
    token: berValue(0x60, SPNEGO, berContext(0, first)),
    finish: (answer) => {
      const ofService = keyOfAnswer(answer, key);
      return { key: ofService ?? subkey, isOfService: ofService !== undefined, sequence };
    },
  };
}

function gssChecksum({ protection, serverCertificate }: SignInOptions): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32LE(16, 0);
  if (serverCertificate !== undefined) channelBinding(serverCertificate).copy(bytes, 4);
  const signed = protection === 'none' ? 0 : FLAG.replay | FLAG.sequence | FLAG.integrity;
  bytes.writeUInt32LE(FLAG.mutual | signed | (protection === 'sealed' ? FLAG.confidential : 0), 20);
  return bytes;
}

/** The channel binding of a TLS connection (RFC 5929, 4.1, in the structure of RFC 4121, 4.1.1.2). */
export function channelBinding(certificate: Buffer): Buffer {
  const data = Buffer.concat([
    Buffer.from('tls-server-end-point:'),
    createHash(hashOfSignature(certificate)).update(certificate).digest(),
  ]);
  // Neither end has an address: two types and two lengths of zero.
  const head = Buffer.alloc(20);
  head.writeUInt32LE(data.length, 16);
  return createHash('md5').update(head).update(data).digest();
}

/** Hash functions of signatures; those older than SHA-256 are replaced by it (RFC 5929, 4.1). */
const STRONG_HASHES: readonly (readonly [oid: string, hash: string])[] = [
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
];

function hashOfSignature(certificate: Buffer): string {
  const parts = new BerReader(certificate).enter(BER_TAG.sequence);
  parts.enter(BER_TAG.sequence);
  const algorithm = parts.enter(BER_TAG.sequence).octets(BER_TAG.oid);
  const found = STRONG_HASHES.find(([oid]) => berOid(oid).subarray(2).equals(algorithm));
  return found?.[1] ?? 'sha256';
}

const ACCEPTED = 0;

function keyOfAnswer(answer: Buffer, key: Key): Key | undefined {
  const fields = new BerReader(answer).enter(0xa1).enter(BER_TAG.sequence).fields();
  const state = fieldOf(fields, 0).integer(BER_TAG.enumerated);
  if (state !== ACCEPTED)
    throw new Error(`Kerberos: the service does not accept the sign-in (state ${state})`);
  const token = new BerReader(fieldOf(fields, 2).octets()).enter(0x60);
  token.enter(BER_TAG.oid);
  // Two bytes identify the type of the following message.
  token.at += 2;
  const reply = token.enter(0x6f).enter(BER_TAG.sequence).fields();
  const sealed = fieldOf(reply, 2).enter(BER_TAG.sequence).fields();
  const plain = decrypt(key, KEY_USAGE.serviceAnswer, fieldOf(sealed, 2).octets());
  const part = new BerReader(plain).enter(0x7b).enter(BER_TAG.sequence).fields();
  const subkey = part.get(2);
  return subkey === undefined ? undefined : readKey(subkey);
}

const TOKEN_ID = 0x0504;
const HEAD_BYTES = 16;
const SEAL_USAGE = { ofService: 22, ofClient: 24 } as const;
/** Flags of RFC 4121, 4.2.2. */
const TOKEN_FLAG = { fromService: 1, sealed: 2, keyOfService: 4 } as const;

/** Encrypts and decrypts messages of a session (RFC 4121, 4.2.4). */
export class SealedSession {
  readonly #key: Key;
  readonly #flags: number;
  #next: bigint;
  #expected: bigint | undefined;

  constructor({ key, isOfService, sequence }: Session) {
    this.#key = key;
    this.#flags = TOKEN_FLAG.sealed | (isOfService ? TOKEN_FLAG.keyOfService : 0);
    this.#next = BigInt(sequence);
  }

  wrap(plain: Buffer): Buffer {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt16BE(TOKEN_ID);
    head[2] = this.#flags;
    head[3] = 0xff;
    head.writeBigUInt64BE(this.#next, 8);
    this.#next += 1n;
    return Buffer.concat([head, encrypt(this.#key, SEAL_USAGE.ofClient, Buffer.concat([plain, head]))]);
  }

  /** @throws Error for a message that the service did not encrypt, was changed, or is out of order */
  unwrap(token: Buffer): Buffer {
    if (token.length <= HEAD_BYTES || token.readUInt16BE(0) !== TOKEN_ID)
      throw new Error('Kerberos: a message is not encrypted');
    const flags = token[2];
    if ((flags & TOKEN_FLAG.sealed) === 0 || (flags & TOKEN_FLAG.fromService) === 0)
      throw new Error('Kerberos: a message is not encrypted, or not by the service');
    const extra = token.readUInt16BE(4);
    const plain = decrypt(
      this.#key,
      SEAL_USAGE.ofService,
      turnedBack(token.subarray(HEAD_BYTES), token.readUInt16BE(6)),
    );
    const head = plain.subarray(plain.length - HEAD_BYTES);
    if (plain.length < HEAD_BYTES + extra || !isSameHead(head, token))
      throw new Error('Kerberos: the header of a message was changed');
    this.#follow(token.readBigUInt64BE(8));
    return plain.subarray(0, plain.length - HEAD_BYTES - extra);
  }

  /** A repeated or missing message indicates interference by an attacker. */
  #follow(sequence: bigint): void {
    if (this.#expected !== undefined && sequence !== this.#expected)
      throw new Error('Kerberos: a message is missing or was repeated');
    this.#expected = sequence + 1n;
  }
}

/** Reverses the rotation of a token by `count` bytes (RFC 4121, 4.2.5). */
function turnedBack(bytes: Buffer, count: number): Buffer {
  const by = count % bytes.length;
  return by === 0 ? bytes : Buffer.concat([bytes.subarray(by), bytes.subarray(0, by)]);
}

/** The encrypted copy has the same header, except that its rotation count is zero. */
const isSameHead = (copy: Buffer, token: Buffer): boolean =>
  copy.length === HEAD_BYTES &&
  copy.subarray(0, 6).equals(token.subarray(0, 6)) &&
  copy.subarray(8).equals(token.subarray(8, HEAD_BYTES));
