/** A simulated Kerberos service with one account and one service, and the other end of a sign-in to that service. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { BER_TAG, BerReader, fieldOf } from '../src/ber/reader.ts';
import { berContext, berInteger, berOctets, berSequence, berValue } from '../src/ber/writer.ts';
import { AES256, decrypt, encrypt, type Key, keyOfPassword } from '../src/kerberos/encryption.ts';
import {
  encryptedData,
  generalString,
  KEY_USAGE,
  kerberosTime,
  principalName,
} from '../src/kerberos/messages.ts';
import { Frames, lengthInFront } from '../src/net/frames.ts';

export const REALM = 'LAB.TEST';
export const USER = 'reader';
export const PASSWORD = 'correct horse';
export const ACCOUNT = { user: USER, realm: REALM, secret: { password: PASSWORD } };
const SALT = `${REALM}${USER}`;
export const SESSION_KEY: Key = { type: AES256, bytes: createHash('sha256').update('session').digest() };
export const SERVICE_KEY: Key = { type: AES256, bytes: createHash('sha256').update('service').digest() };

export interface KerberosFaults {
  /** Milliseconds by which the service's clock is ahead. */
  readonly skewMs?: number;
  /** Encryption types of the account; default: AES-256. */
  readonly kinds?: readonly number[];
  readonly iterations?: number;
  /** Error of each service request. */
  readonly ticketError?: number;
  /** Error of each sign-in. */
  readonly signInError?: number;
  /** Domains whose controllers it names instead of their services. */
  readonly trusts?: readonly string[];
  /** Key of the tickets that it accepts as proof; default: that of its own sign-ins. */
  readonly grantingKey?: Key;
  /** Replaces the bytes of each answer. */
  readonly raw?: (answer: Buffer) => Buffer;
}

export interface SimulatedKerberos extends AsyncDisposable {
  readonly port: number;
  /** Requests so far: `sign-in` without a proof, `proof`, `ticket`. */
  readonly requests: string[];
}

export async function simulatedKerberos(faults: KerberosFaults = {}): Promise<SimulatedKerberos> {
  const requests: string[] = [];
  const server = createServer((socket) => {
    const frames = new Frames(lengthInFront(2 ** 20, 'a request'));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      frames.push(chunk);
      const bytes = frames.take();
      if (bytes === undefined) return;
      const made = answerTo(bytes.subarray(4), faults, requests);
      const answer = faults.raw?.(made) ?? made;
      const length = Buffer.alloc(4);
      length.writeUInt32BE(answer.length);
      socket.end(Buffer.concat([length, answer]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

function answerTo(bytes: Buffer, faults: KerberosFaults, requests: string[]): Buffer {
  const reader = new BerReader(bytes);
  const isSignIn = reader.peek() === 0x6a;
  const fields = reader.enter().enter(BER_TAG.sequence).fields();
  const body = fieldOf(fields, 4).enter(BER_TAG.sequence).fields();
  const nonce = fieldOf(body, 7).integer();
  const proof = fields.get(3)?.enter(BER_TAG.sequence).enter(BER_TAG.sequence).fields();
  requests.push(isSignIn ? (proof === undefined ? 'sign-in' : 'proof') : 'ticket');
  if (!isSignIn) {
    if (faults.ticketError !== undefined) return errorAnswer(faults.ticketError, faults);
    const asked = namesOf(fieldOf(body, 3)).join('/');
    const isTrusted = faults.trusts?.some((realm) => asked === `krbtgt/${realm}`) ?? true;
    // A controller names its nearest neighbor for a domain that it does not trust directly.
    const service = isTrusted ? asked : `krbtgt/${faults.trusts?.[0]}`;
    const outer = faults.grantingKey ?? SESSION_KEY;
    return ticketAnswer({
      tag: 0x6d,
      inner: SERVICE_KEY,
      outer,
      usage: KEY_USAGE.ticketAnswer,
      nonce,
      service,
    });
  }
  if (faults.signInError !== undefined) return errorAnswer(faults.signInError, faults);
  if (proof === undefined) return errorAnswer(25, faults);
  const key = keyOfPassword(AES256, PASSWORD, SALT, faults.iterations ?? 4096);
  const sealed = new BerReader(fieldOf(proof, 2).octets()).enter(BER_TAG.sequence).fields();
  try {
    const plain = decrypt(key, KEY_USAGE.timestamp, fieldOf(sealed, 2).octets());
    const time = fieldOf(new BerReader(plain).enter(BER_TAG.sequence).fields(), 0).text(
      BER_TAG.generalizedTime,
    );
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(time)!.map(Number);
    const said = Date.UTC(parts[0], parts[1] - 1, parts[2], parts[3], parts[4], parts[5]);
    if (Math.abs(Date.now() + (faults.skewMs ?? 0) - said) > 300_000) return errorAnswer(37, faults);
  } catch {
    return errorAnswer(24, faults);
  }
  const service = `krbtgt/${REALM}`;
  return ticketAnswer({
    tag: 0x6b,
    inner: SESSION_KEY,
    outer: key,
    usage: KEY_USAGE.signInAnswer,
    nonce,
    service,
  });
}

function namesOf(name: BerReader): readonly string[] {
  const list = fieldOf(name.enter(BER_TAG.sequence).fields(), 1).enter(BER_TAG.sequence);
  const names: string[] = [];
  while (list.hasMore) names.push(list.text(BER_TAG.generalString));
  return names;
}

function errorAnswer(
  error: number,
  { skewMs = 0, kinds = [AES256], iterations = 4096 }: KerberosFaults,
): Buffer {
  const rounds = Buffer.alloc(4);
  rounds.writeUInt32BE(iterations);
  const infos = kinds.map((kind) =>
    berSequence(
      berContext(0, berInteger(kind)),
      berContext(1, generalString(SALT)),
      berContext(2, berOctets(rounds)),
    ),
  );
  const data = berSequence(
    berSequence(berContext(1, berInteger(19)), berContext(2, berOctets(berSequence(...infos)))),
  );
  return berValue(
    0x7e,
    berSequence(
      berContext(0, berInteger(5)),
      berContext(1, berInteger(30)),
      berContext(4, kerberosTime(new Date(Date.now() + skewMs))),
      berContext(5, berInteger(0)),
      berContext(6, berInteger(error)),
      berContext(9, generalString(REALM)),
      berContext(10, principalName(2, 'krbtgt', REALM)),
      ...(error === 25 ? [berContext(12, berOctets(data))] : []),
    ),
  );
}

interface AnswerParts {
  readonly tag: number;
  /** The key inside the answer. */
  readonly inner: Key;
  /** The key that encrypts it. */
  readonly outer: Key;
  readonly usage: number;
  readonly nonce: number;
  readonly service: string;
}

function ticketAnswer({ tag, inner, outer, usage, nonce, service }: AnswerParts): Buffer {
  const part = berValue(
    0x79,
    berSequence(
      berContext(
        0,
        berSequence(berContext(0, berInteger(inner.type)), berContext(1, berOctets(inner.bytes))),
      ),
      berContext(2, berInteger(nonce)),
      berContext(10, principalName(2, ...service.split('/'))),
    ),
  );
  return berValue(
    tag,
    berSequence(
      berContext(0, berInteger(5)),
      berContext(1, berInteger(tag === 0x6b ? 11 : 13)),
      berContext(3, generalString(REALM)),
      berContext(4, principalName(1, USER)),
      berContext(5, berValue(0x61, berOctets('a ticket'))),
      berContext(6, encryptedData(outer.type, encrypt(outer, usage, part))),
    ),
  );
}

/** The answer of a service to a sign-in: proof that it has the key, and a new session key. */
export function acceptSignIn(subkey: Key, state = 0, key: Key = SERVICE_KEY): Buffer {
  const part = berValue(
    0x7b,
    berSequence(
      berContext(0, kerberosTime(new Date())),
      berContext(1, berInteger(0)),
      berContext(
        2,
        berSequence(berContext(0, berInteger(subkey.type)), berContext(1, berOctets(subkey.bytes))),
      ),
    ),
  );
  const reply = berValue(
    0x6f,
    berSequence(
      berContext(0, berInteger(5)),
      berContext(1, berInteger(15)),
      berContext(2, encryptedData(key.type, encrypt(key, KEY_USAGE.serviceAnswer, part))),
    ),
  );
  const token = berValue(
    0x60,
    berValue(BER_TAG.oid, Buffer.from('2a864886f712010202', 'hex')),
    Buffer.from([2, 0]),
    reply,
  );
  return berValue(
    0xa1,
    berSequence(berContext(0, berInteger(state, BER_TAG.enumerated)), berContext(2, berOctets(token))),
  );
}
