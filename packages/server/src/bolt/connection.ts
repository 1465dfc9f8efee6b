/**
 * One connection: its handshake, messages in both directions, and the times at which it is ended:
 *
 *     opened ── SIGN_IN_MS without a sign-in ──> ended
 *     signed in ── a message does not arrive whole within MESSAGE_MS ──> ended
 *               ── the client takes nothing of an answer for STALL_MS ──> ended
 *               ── no message for IDLE_MS, or OPEN_MS while rows or a transaction are open ──> ended
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ChunkReader } from './chunks.ts';
import { chooseVersion, HANDSHAKE_BYTES, handshakeAnswer, isBolt, type Version } from './handshake.ts';
import { PackError } from './packReader.ts';
import { Session, type SessionOptions } from './session.ts';

/** Bytes of a message before and after the client has signed in. */
const MAX_FIRST_BYTES = 64 * 1024;
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Messages that wait for their answers, and their bytes: beyond them, no more are read. */
const MAX_QUEUED = 100;
const MAX_QUEUED_BYTES = MAX_MESSAGE_BYTES;

export interface ConnectionTimes {
  readonly signInMs: number;
  readonly messageMs: number;
  readonly stallMs: number;
  readonly openMs: number;
  readonly idleMs: number;
}

/** Drivers keep a connection for an hour: they end it before the service does. */
export const CONNECTION_TIMES: ConnectionTimes = {
  signInMs: 15_000,
  messageMs: 60_000,
  stallMs: 60_000,
  openMs: 10 * 60_000,
  idleMs: 65 * 60_000,
};

export interface ConnectionOptions extends Pick<SessionOptions, 'agent' | 'openUser' | 'report'> {
  readonly times: ConnectionTimes;
  /** Called when work begins and when it ends. */
  onWork(isBusy: boolean): void;
}

export class BoltConnection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #reader = new ChunkReader(MAX_FIRST_BYTES);
  /** Bytes of the handshake, until it is complete. */
  #handshake = Buffer.alloc(0);
  #session: Session | undefined;
  /** Ends the connection where the client is not signed in by then. */
  #signIn: NodeJS.Timeout;
  /** Ends the connection where no message, or not the rest of it, arrives by then. */
  #silence: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#signIn = this.#endAfter(options.times.signInMs);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, options.times.messageMs);
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(this.#signIn);
      clearTimeout(this.#silence);
      this.#session?.abandon();
    });
  }

  /** Ends the connection after its running work. */
  close(): void {
    if (this.#session?.isWorking !== true) this.#socket.destroy();
    else this.#socket.end();
  }

  #endAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#socket.destroy(), milliseconds).unref();
  }

  #receive(bytes: Buffer): void {
    const rest = this.#session === undefined ? this.#shake(bytes) : bytes;
    if (rest === undefined || this.#session === undefined) return;
    try {
      for (const message of this.#reader.read(rest)) this.#session.receive(message);
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      this.#socket.destroy();
      return;
    }
    const { messages, bytes: queued } = this.#session.waiting;
    if (messages > MAX_QUEUED || queued > MAX_QUEUED_BYTES) this.#socket.pause();
    this.#watch();
  }

  /** @returns the bytes after the handshake, once it is complete */
  #shake(bytes: Buffer): Buffer | undefined {
    this.#handshake = Buffer.concat([this.#handshake, bytes]);
    if (!isBolt(this.#handshake)) this.#socket.destroy();
    if (this.#handshake.length < HANDSHAKE_BYTES) return undefined;
    const version = chooseVersion(this.#handshake);
    this.#socket.write(handshakeAnswer(version));
    if (version === undefined) {
      this.#socket.end();
      return undefined;
    }
    this.#session = this.#open(version);
    return this.#handshake.subarray(HANDSHAKE_BYTES);
  }

  #open(version: Version): Session {
    const { agent, openUser, report } = this.#options;
    const { localAddress = '', localPort } = this.#socket;
    const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
    return new Session({
      ...{ version, agent, openUser, report },
      address: `${host}:${localPort}`,
      send: (answer) => this.#send(answer),
      end: () => this.#end(),
      onSigned: (isSigned) => this.#signed(isSigned),
      onIdle: () => {
        this.#socket.resume();
        this.#watch();
      },
    });
  }

  #signed(isSigned: boolean): void {
    clearTimeout(this.#signIn);
    this.#reader.maxBytes = isSigned ? MAX_MESSAGE_BYTES : MAX_FIRST_BYTES;
    if (!isSigned) this.#signIn = this.#endAfter(this.#options.times.signInMs);
  }

  /** Sets the time until a silent client is cut off. */
  #watch(): void {
    const { times, onWork } = this.#options;
    const session = this.#session as Session;
    onWork(session.isBusy);
    clearTimeout(this.#silence);
    if (this.#reader.isWithin) this.#silence = this.#endAfter(times.messageMs);
    else if (!session.isWorking) this.#silence = this.#endAfter(session.isBusy ? times.openMs : times.idleMs);
  }

  /** Waits until the client has taken enough: what it does not read is not made. */
  async #send(answer: Buffer): Promise<void> {
    const socket = this.#socket;
    if (socket.destroyed || socket.write(answer) || socket.destroyed) return;
    const stalled = this.#endAfter(this.#options.times.stallMs);
    const over = new AbortController();
    const events = ['drain', 'close'].map((event) => once(socket, event, { signal: over.signal }));
    await Promise.race(events).catch(() => {});
    over.abort();
    await Promise.allSettled(events);
    clearTimeout(stalled);
  }

  /** The client may still be reading. */
  #end(): void {
    this.#socket.end();
    this.#endAfter(this.#options.times.messageMs);
  }
}
