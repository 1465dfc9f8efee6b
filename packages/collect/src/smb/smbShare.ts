/**
 * Reads files of a share over SMB 2.1, signed, with a Kerberos ticket (MS-SMB2). It cannot write: files are only opened for reading. One
 * request runs at a time.
 */
import type { Socket } from 'node:net';
import { beginSignIn } from '../kerberos/securityContext.ts';
import type { Ticket } from '../kerberos/tickets.ts';
import { connectTcp, type Target } from '../net/connect.ts';
import { Frames, type MessageLength } from '../net/frames.ts';
import {
  Answer,
  COMMAND,
  type Command,
  closeBody,
  encodePacket,
  negotiateBody,
  openBody,
  readBody,
  SmbError,
  STATUS,
  sessionSetupBody,
  statusError,
  treeConnectBody,
} from './packets.ts';

export const SMB_PORT = 445;
const ANSWER_MS = 20_000;
const MAX_PACKET_BYTES = 2 ** 20;
/** Size of file parts, which every server allows. */
const PART_BYTES = 65_536;

export interface ShareOptions {
  readonly share: string;
  /** For `cifs/HOST`. */
  readonly ticket: Ticket;
  /** Maximum size of a file. */
  readonly maxFileBytes: number;
  readonly silenceMs?: number;
}

/** Packets over TCP start with a zero and their length in three bytes (MS-SMB2 2.1). */
export const packetLength: MessageLength = (bytes, at) => {
  if (at + 4 > bytes.length) return undefined;
  if (bytes[at] !== 0) throw new SmbError('the server does not speak SMB 2');
  const length = bytes.readUIntBE(at + 1, 3);
  if (length > MAX_PACKET_BYTES)
    throw new SmbError(`a response has ${length} bytes; the limit is ${MAX_PACKET_BYTES}`);
  return 4 + length;
};

interface Waiting {
  readonly id: bigint;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class SmbShare {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #options: ShareOptions;
  readonly #frames = new Frames(packetLength);
  #waiting: Waiting | undefined;
  #nextId = 0n;
  #session: Buffer = Buffer.alloc(8);
  #tree = 0;
  #key: Buffer | undefined;

  /** @throws SmbError that names what was refused */
  static async open(target: Target, options: ShareOptions): Promise<SmbShare> {
    const share = new SmbShare(await connectTcp(target), target.host, options);
    try {
      await share.#signIn();
      return share;
    } catch (error) {
      share.close();
      throw error;
    }
  }

  private constructor(socket: Socket, host: string, options: ShareOptions) {
    this.#socket = socket;
    this.#host = host;
    this.#options = options;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#fail(new SmbError(`${host}: ${error.message}`)));
    socket.on('close', () => this.#fail(new SmbError(`${host} closed the connection`)));
  }

  /** @returns undefined if the file does not exist */
  async read(path: string): Promise<Buffer | undefined> {
    const opened = await this.#ask(COMMAND.create, openBody(path));
    if (opened.status === STATUS.noSuchFile || opened.status === STATUS.noSuchPath) return undefined;
    expectSuccess(opened, path);
    const size = Number(opened.long(48));
    const file = Buffer.from(opened.part(64 + 64, 16));
    try {
      if (size > this.#options.maxFileBytes)
        throw new SmbError(`${path} has ${size} bytes; the limit is ${this.#options.maxFileBytes}`);
      return await this.#readParts(path, file, size);
    } finally {
      await this.#ask(COMMAND.close, closeBody(file)).catch(() => undefined);
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  async #readParts(path: string, file: Buffer, size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let at = 0; at < size; ) {
      const answer = await this.#ask(COMMAND.read, readBody(file, at, Math.min(PART_BYTES, size - at)));
      expectSuccess(answer, path);
      const data = answer.part(answer.number(2, 1), answer.number(4, 4));
      if (data.length === 0 || data.length > size - at)
        throw new SmbError(`${path} changed while it was read`);
      parts.push(Buffer.from(data));
      at += data.length;
    }
    return Buffer.concat(parts);
  }

  async #signIn(): Promise<void> {
    const { ticket, share } = this.#options;
    expectSuccess(await this.#ask(COMMAND.negotiate, negotiateBody()), 'negotiation');
    const signIn = beginSignIn(ticket, { protection: 'signed' });
    const answer = await this.#ask(COMMAND.sessionSetup, sessionSetupBody(signIn.token));
    expectSuccess(answer, `sign-in at ${this.#host}`);
    this.#session = answer.session;
    const proof = Buffer.from(answer.part(answer.number(4, 2), answer.number(6, 2)));
    this.#key = signIn.finish(proof).key.bytes.subarray(0, 16);
    const connected = await this.#ask(COMMAND.treeConnect, treeConnectBody(this.#host, share));
    expectSuccess(connected, `share ${share} of ${this.#host}`);
    this.#tree = connected.tree;
  }

  #ask(command: Command, body: Buffer): Promise<Answer> {
    const id = this.#nextId++;
    const packet = encodePacket({ command, id, session: this.#session, tree: this.#tree }, body, this.#key);
    const length = Buffer.alloc(4);
    length.writeUIntBE(packet.length, 1, 3);
    const silenceMs = this.#options.silenceMs ?? ANSWER_MS;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#fail(new SmbError(`${this.#host} has been silent for ${silenceMs / 1000} s`)),
        silenceMs,
      );
      const settle =
        <Value>(act: (value: Value) => void) =>
        (value: Value): void => {
          clearTimeout(timer);
          this.#waiting = undefined;
          act(value);
        };
      this.#waiting = { id, resolve: settle(resolve), reject: settle(reject) };
      if (this.#socket.destroyed) this.#fail(new SmbError(`${this.#host} closed the connection`));
      else this.#socket.write(Buffer.concat([length, packet]));
    });
  }

  #receive(chunk: Buffer): void {
    try {
      this.#frames.push(chunk);
      for (let frame = this.#frames.take(); frame !== undefined; frame = this.#frames.take())
        this.#take(new Answer(frame.subarray(4)));
    } catch (error) {
      this.#fail(error as Error);
      this.#socket.destroy();
    }
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting;
    if (waiting === undefined || answer.id !== waiting.id || answer.status === STATUS.pending) return;
    if (this.#key !== undefined && !answer.isSignedWith(this.#key))
      throw new SmbError(`a response is not signed by ${this.#host}`);
    waiting.resolve(answer);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
  }
}

function expectSuccess(answer: Answer, what: string): void {
  if (answer.status !== STATUS.success) throw statusError(answer.status, what);
}
