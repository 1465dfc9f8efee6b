/**
 * Bytes sealed with a passphrase, as a stream in constant memory. Each frame of at most 64 KiB is encrypted with AES-256-GCM and its number
 * as the nonce, and the last one is marked. This detects missing, moved and changed frames, and truncated files (the STREAM construction of
 * Hoang, Reyhanitabar, Rogaway and Vizár, 2015). The key is derived from the passphrase with scrypt (RFC 7914).
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { BackupError } from './backupError.ts';
import { ByteReader } from './byteReader.ts';

export interface Sealing {
  /** Base64. */
  readonly salt: string;
  /** Cost of scrypt: work and memory grow with it. */
  readonly cost: number;
}

const FRAME_BYTES = 65_536;
const TAG_BYTES = 16;
const BLOCK = 8;
const COST = 2 ** 17;
/** Limits the memory that a file from elsewhere can use: 256 MiB here. */
const MAX_COST = 2 ** 18;

export const newSealing = (): Sealing => ({ salt: randomBytes(16).toString('base64'), cost: COST });

async function keyOf(passphrase: string, { salt, cost }: Sealing): Promise<Buffer> {
  if (!(cost >= 2 && cost <= MAX_COST))
    throw new BackupError('the backup requires too much work for its key');
  const derive = promisify(scrypt) as (...args: unknown[]) => Promise<Buffer>;
  const options = { N: cost, r: BLOCK, p: 1, maxmem: 256 * cost * BLOCK };
  return derive(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 32, options);
}

function nonceOf(frame: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(frame), 4);
  return nonce;
}

const markOf = (isLast: boolean): Buffer => Buffer.from([isLast ? 1 : 0]);

/** Each frame has its length (4 bytes), the sealed bytes and the tag. */
export async function* seal(
  bytes: AsyncIterable<Buffer>,
  passphrase: string,
  sealing: Sealing,
): AsyncGenerator<Buffer> {
  const key = await keyOf(passphrase, sealing);
  let number = 0;
  const frameOf = (body: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++));
    cipher.setAAD(markOf(isLast));
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    return Buffer.concat([head, cipher.update(body), cipher.final(), cipher.getAuthTag()]);
  };
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    // The rest may be the last frame, which has a different mark, so it is kept until the end.
    for (; held.length - at > FRAME_BYTES; at += FRAME_BYTES)
      yield frameOf(held.subarray(at, at + FRAME_BYTES), false);
    held = held.subarray(at);
  }
  yield frameOf(held, true);
}

/** @throws BackupError for a wrong passphrase, a changed byte or a truncated file */
export async function* unseal(
  bytes: AsyncIterable<Buffer>,
  passphrase: string,
  sealing: Sealing,
): AsyncGenerator<Buffer> {
  const key = await keyOf(passphrase, sealing);
  const reader = new ByteReader(bytes);
  for (let number = 0; ; number++) {
    const length = (await reader.take(4)).readUInt32BE();
    if (length > FRAME_BYTES) throw new BackupError('the backup is damaged: use another one');
    const body = Buffer.from(await reader.take(length));
    const tag = Buffer.from(await reader.take(TAG_BYTES));
    const isLast = await reader.isAtEnd();
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number));
    decipher.setAAD(markOf(isLast));
    decipher.setAuthTag(tag);
    const open = decipher.update(body);
    try {
      decipher.final();
    } catch {
      throw new BackupError(
        number === 0 && !isLast
          ? 'the passphrase is wrong, or the backup is damaged'
          : 'the backup is damaged or truncated, or the passphrase is wrong',
      );
    }
    yield open;
    if (isLast) return;
  }
}
