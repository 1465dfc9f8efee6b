/** The SMB 2.1 packets needed to read a file (MS-SMB2 2.2). None of them writes. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const COMMAND = {
  negotiate: 0,
  sessionSetup: 1,
  treeConnect: 3,
  create: 5,
  close: 6,
  read: 8,
} as const;
export type Command = (typeof COMMAND)[keyof typeof COMMAND];

export const STATUS = {
  success: 0,
  pending: 0x103,
  moreProcessing: 0xc0000016,
  accessDenied: 0xc0000022,
  noSuchFile: 0xc0000034,
  noSuchPath: 0xc000003a,
} as const;

const WORDS: Readonly<Record<number, string>> = {
  [STATUS.accessDenied]: 'access is denied',
  [STATUS.noSuchFile]: 'there is no such file',
  [STATUS.noSuchPath]: 'there is no such path',
  3221225676: 'there is no such share',
  3221225581: 'the sign-in is refused',
  3221226071: 'the path is on another server',
  3221226332: 'the session has ended',
};

/** An answer other than success, or outside the protocol. */
export class SmbError extends Error {
  override readonly name = 'SmbError';
  readonly status: number;

  constructor(message: string, status = 0) {
    super(`SMB: ${message}`);
    this.status = status;
  }
}

export const statusError = (status: number, what: string): SmbError =>
  new SmbError(`${what}: ${WORDS[status] ?? `status 0x${status.toString(16)}`}`, status);

export const HEAD_BYTES = 64;
const SIGNATURE_AT = 48;
const SIGNED_FLAG = 8;
const PROTOCOL = 0xfe534d42;

export interface RequestHead {
  readonly command: Command;
  readonly id: bigint;
  readonly session: Buffer;
  readonly tree: number;
}

/** @param key signs the packet; undefined before the sign-in */
export function encodePacket(
  { command, id, session, tree }: RequestHead,
  body: Buffer,
  key: Buffer | undefined,
): Buffer {
  const packet = Buffer.concat([Buffer.alloc(HEAD_BYTES), body]);
  packet.writeUInt32BE(PROTOCOL, 0);
  packet.writeUInt16LE(HEAD_BYTES, 4);
  packet.writeUInt16LE(1, 6);
  packet.writeUInt16LE(command, 12);
  packet.writeUInt16LE(command === COMMAND.negotiate ? 0 : 31, 14);
  packet.writeUInt32LE(key === undefined ? 0 : SIGNED_FLAG, 16);
  packet.writeBigUInt64LE(id, 24);
  packet.writeUInt32LE(tree, 36);
  session.copy(packet, 40);
  if (key !== undefined) signatureOf(packet, key).copy(packet, SIGNATURE_AT);
  return packet;
}

/** The first half of an HMAC over the packet without its signature (MS-SMB2 3.1.4.1). */
function signatureOf(packet: Buffer, key: Buffer): Buffer {
  const plain = Buffer.from(packet);
  plain.fill(0, SIGNATURE_AT, HEAD_BYTES);
  return createHmac('sha256', key).update(plain).digest().subarray(0, 16);
}

/** An answer, whose parts are only read within its bounds. */
export class Answer {
  readonly bytes: Buffer;

  /** @throws SmbError if the bytes are not a packet */
  constructor(bytes: Buffer) {
    if (bytes.length < HEAD_BYTES || bytes.readUInt32BE(0) !== PROTOCOL)
      throw new SmbError('the server does not speak SMB 2');
    this.bytes = bytes;
  }

  get status(): number {
    return this.bytes.readUInt32LE(8);
  }
  get command(): number {
    return this.bytes.readUInt16LE(12);
  }
  get id(): bigint {
    return this.bytes.readBigUInt64LE(24);
  }
  get tree(): number {
    return this.bytes.readUInt32LE(36);
  }
  get session(): Buffer {
    return Buffer.from(this.bytes.subarray(40, 48));
  }

  isSignedWith(key: Buffer): boolean {
    return timingSafeEqual(signatureOf(this.bytes, key), this.bytes.subarray(SIGNATURE_AT, HEAD_BYTES));
  }

  /** @param at offset in the body */
  number(at: number, size: 1 | 2 | 4): number {
    return this.part(HEAD_BYTES + at, size).readUIntLE(0, size);
  }

  long(at: number): bigint {
    return this.part(HEAD_BYTES + at, 8).readBigUInt64LE();
  }

  /** @param at offset from the start of the packet @throws SmbError if it is outside */
  part(at: number, size: number): Buffer {
    if (at + size > this.bytes.length) throw new SmbError('an answer is cut off');
    return this.bytes.subarray(at, at + size);
  }
}

const DIALECT_2_1 = 0x0210;
export const SIGNING_REQUIRED = 2;

export function negotiateBody(): Buffer {
  const body = Buffer.alloc(38);
  body.writeUInt16LE(36, 0);
  body.writeUInt16LE(1, 2);
  body.writeUInt16LE(SIGNING_REQUIRED, 4);
  randomBytes(16).copy(body, 12);
  body.writeUInt16LE(DIALECT_2_1, 36);
  return body;
}

export function sessionSetupBody(token: Buffer): Buffer {
  const body = Buffer.alloc(24);
  body.writeUInt16LE(25, 0);
  body[3] = SIGNING_REQUIRED;
  body.writeUInt16LE(HEAD_BYTES + body.length, 12);
  body.writeUInt16LE(token.length, 14);
  return Buffer.concat([body, token]);
}

export function treeConnectBody(host: string, share: string): Buffer {
  const path = Buffer.from(`\\\\${host}\\${share}`, 'utf16le');
  const body = Buffer.alloc(8);
  body.writeUInt16LE(9, 0);
  body.writeUInt16LE(HEAD_BYTES + body.length, 4);
  body.writeUInt16LE(path.length, 6);
  return Buffer.concat([body, path]);
}

/** Rights to read the bytes and attributes of a file, and no others (MS-SMB2 2.2.13.1.1). */
const READ_ACCESS = 0x00000081;
const SHARED_BY_ALL = 7;
const OPEN_EXISTING = 1;
const NO_DIRECTORY = 0x40;

/** Opens an existing file for reading. */
export function openBody(path: string): Buffer {
  const name = Buffer.from(path.replaceAll('/', '\\'), 'utf16le');
  const body = Buffer.alloc(56);
  body.writeUInt16LE(57, 0);
  body.writeUInt32LE(2, 4);
  body.writeUInt32LE(READ_ACCESS, 24);
  body.writeUInt32LE(SHARED_BY_ALL, 32);
  body.writeUInt32LE(OPEN_EXISTING, 36);
  body.writeUInt32LE(NO_DIRECTORY, 40);
  body.writeUInt16LE(HEAD_BYTES + body.length, 44);
  body.writeUInt16LE(name.length, 46);
  return Buffer.concat([body, name]);
}

export function readBody(file: Buffer, at: number, size: number): Buffer {
  const body = Buffer.alloc(49);
  body.writeUInt16LE(49, 0);
  body.writeUInt32LE(size, 4);
  body.writeBigUInt64LE(BigInt(at), 8);
  file.copy(body, 16);
  return body;
}

export function closeBody(file: Buffer): Buffer {
  const body = Buffer.alloc(24);
  body.writeUInt16LE(24, 0);
  file.copy(body, 8);
  return body;
}
