/** A simulated SMB server with files in memory, and faults. */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { AES256, type Key } from '../src/kerberos/encryption.ts';
import { COMMAND, STATUS } from '../src/smb/packets.ts';
import { acceptSignIn, SERVICE_KEY } from './simulatedKerberos.ts';

export interface SmbFaults {
  readonly files?: Readonly<Record<string, Buffer>>;
  /** Key of the answers' signatures, instead of the session key. */
  readonly signatureKey?: Buffer;
  /** Status of each command, instead of success. */
  readonly status?: Readonly<Record<number, number>>;
  /** Replaces the bytes of each answer. */
  readonly raw?: (answer: Buffer, command: number) => Buffer;
  readonly isSilent?: boolean;
  /** Whether it requires signatures; default: yes. */
  readonly signsAll?: boolean;
  /** The file size that the server claims. */
  readonly claimedSize?: number;
}

export interface SimulatedSmb extends AsyncDisposable {
  readonly port: number;
  /** Commands of the requests so far. */
  readonly commands: number[];
}

const SESSION: Key = { type: AES256, bytes: Buffer.alloc(32, 9) };

export async function simulatedSmb(faults: SmbFaults = {}): Promise<SimulatedSmb> {
  const commands: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    const open: { name: string }[] = [];
    let left = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      left = Buffer.concat([left, chunk]);
      while (left.length >= 4 && left.length >= 4 + left.readUIntBE(1, 3)) {
        const size = left.readUIntBE(1, 3);
        const request = Buffer.from(left.subarray(4, 4 + size));
        left = left.subarray(4 + size);
        commands.push(request.readUInt16LE(12));
        if (!faults.isSilent) socket.write(framed(answerTo(request, faults, open)));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function framed(answer: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUIntBE(answer.length, 1, 3);
  return Buffer.concat([length, answer]);
}

function answerTo(request: Buffer, faults: SmbFaults, open: { name: string }[]): Buffer {
  const command = request.readUInt16LE(12);
  const { status, body } = bodyOf(request, command, faults, open);
  const answer = Buffer.concat([Buffer.from(request.subarray(0, 64)), body]);
  answer.writeUInt32LE(faults.status?.[command] ?? status, 8);
  answer.writeUInt32LE(5, 36);
  answer.fill(0, 48, 64);
  if (command !== COMMAND.negotiate) {
    const key = faults.signatureKey ?? SESSION.bytes.subarray(0, 16);
    createHmac('sha256', key).update(answer).digest().copy(answer, 48, 0, 16);
  }
  return faults.raw?.(answer, command) ?? answer;
}

interface AnswerBody {
  readonly status: number;
  readonly body: Buffer;
}

function bodyOf(request: Buffer, command: number, faults: SmbFaults, open: { name: string }[]): AnswerBody {
  const { files = {} } = faults;
  const success = (body: Buffer): AnswerBody => ({ status: STATUS.success, body });
  if (command === COMMAND.sessionSetup) {
    const token = acceptSignIn(SESSION, 0, SERVICE_KEY);
    const body = Buffer.alloc(8);
    body.writeUInt16LE(72, 4);
    body.writeUInt16LE(token.length, 6);
    return success(Buffer.concat([body, token]));
  }
  if (command === COMMAND.create) {
    const at = request.readUInt16LE(64 + 44);
    const name = request.toString('utf16le', at, at + request.readUInt16LE(64 + 46)).replaceAll('\\', '/');
    if (files[name] === undefined) return { status: STATUS.noSuchFile, body: Buffer.alloc(9) };
    const body = Buffer.alloc(88);
    body.writeBigUInt64LE(BigInt(faults.claimedSize ?? files[name].length), 48);
    body.writeUInt8(open.push({ name }) - 1, 64);
    return success(body);
  }
  if (command === COMMAND.read) {
    const { name } = open[request.readUInt8(64 + 16)];
    const from = Number(request.readBigUInt64LE(64 + 8));
    const data = files[name].subarray(from, from + request.readUInt32LE(64 + 4));
    const body = Buffer.alloc(16);
    body[2] = 80;
    body.writeUInt32LE(data.length, 4);
    return success(Buffer.concat([body, data]));
  }
  const body = Buffer.alloc(65);
  // Signing is enabled, and required or not (MS-SMB2 2.2.4).
  if (command === COMMAND.negotiate) body.writeUInt16LE(faults.signsAll === false ? 1 : 3, 2);
  return success(body);
}
