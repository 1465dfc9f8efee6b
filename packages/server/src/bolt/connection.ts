/**
 * One connection: its handshake, messages in both directions, and the time limits that end it:
 *
 *     opened ── SIGN_IN_MS without a sign-in ──> ended
 *     signed in ── a message does not arrive whole within MESSAGE_MS ──> ended
 *               ── the client takes nothing of an answer for STALL_MS ──> ended
 *               ── no message was answered for IDLE_MS, or OPEN_MS while rows or a transaction are open ──> ended
 *     closed ── after the messages that have arrived are answered ──> ended
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ChunkReader } from './chunks.ts';
import { chooseVersion, HANDSHAKE_BYTES, handshakeAnswer, isBolt, type Version } from './handshake.ts';
import { PackError } from './packReader.ts';
import { Session, type SessionOptions } from './session.ts';

/** Maximum number of bytes of a message before and after the sign-in. */
const MAX_FIRST_BYTES = 64 * 1024;
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Maximum number and bytes of queued messages: beyond these, reading pauses. */
const MAX_QUEUED = 100;
const MAX_QUEUED_BYTES = MAX_MESSAGE_BYTES;
/** Bytes of an answer that a client has to take within STALL_MS. */
const SLICE_BYTES = 64 * 1024;
const NO_BYTES = Buffer.alloc(0);

export interface ConnectionTimes {
  readonly signInMs: number;
  readonly messageMs: number;
  readonly stallMs: number;
  readonly openMs: number;
  readonly idleMs: number;
}

/** Drivers keep a connection for an hour, so they end it before the service does. */
export const CONNECTION_TIMES: ConnectionTimes = {
  signInMs: 15_000,
  messageMs: 60_000,
  stallMs: 60_000,
  openMs: 10 * 60_000,
  idleMs: 65 * 60_000,
};

export interface ConnectionOptions extends Pick<SessionOptions, 'agent' | 'openUser' | 'report'> {
  readonly times: ConnectionTimes;
  /** Called when work begins and ends. */
  onWork(isBusy: boolean): void;
}

export class BoltConnection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #reader = new ChunkReader(MAX_FIRST_BYTES);
  /** Bytes of the handshake, until it is complete. */
  #handshake = NO_BYTES;
  #session: Session | undefined;
  /** Ends the connection if the client is not signed in in time. */
  #signIn: NodeJS.Timeout;
  /** Ends the connection where the rest of a message has not arrived by then. */
  #rest: NodeJS.Timeout | undefined;
  /** Ends the connection where no message was answered by then. */
  #idle: NodeJS.Timeout | undefined;
  /** Ends the connection where the client has not closed it by then. */
  #ending: NodeJS.Timeout | undefined;
  /** Whether no more is read. */
  #isClosing = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#signIn = this.#endAfter(options.times.signInMs);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, options.times.messageMs);
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#stopTimers();
      clearTimeout(this.#ending);
      this.#session?.abandon();
    });
  }

  /** Whether it neither works nor holds rows. */
  get isWaiting(): boolean {
    return this.#session?.isBusy !== true;
  }

  /** Ends the connection after the messages that have arrived are answered. */
  close(): void {
    this.#isClosing = true;
    this.#stopTimers();
    if (this.#session?.isWorking !== true) this.#socket.destroy();
  }

  #stopTimers(): void {
    for (const timer of [this.#signIn, this.#rest, this.#idle]) clearTimeout(timer);
  }

  #endAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#socket.destroy(), milliseconds).unref();
  }

  #receive(bytes: Buffer): void {
    if (this.#isClosing) return;
    const rest = this.#session === undefined ? this.#shake(bytes) : bytes;
    const session = this.#session;
    if (rest === undefined || session === undefined) return;
    let received = 0;
    try {
      for (const message of this.#reader.read(rest)) {
        received++;
        session.receive(message);
      }
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      this.#socket.destroy();
      return;
    }
    // A message can be the last one, such as GOODBYE.
    if (this.#isClosing) return;
    if (received > 0) this.#received(session);
    this.#awaitRest(received > 0);
  }

  #received({ waiting, isWorking }: Session): void {
    if (waiting.messages > MAX_QUEUED || waiting.bytes > MAX_QUEUED_BYTES) this.#socket.pause();
    if (!isWorking) return;
    clearTimeout(this.#idle);
    this.#options.onWork(true);
  }

  /**
   * Bounds the time of a message from its first byte on, while the connection is read.
   * @param isNew whether the message is another one than before
   */
  #awaitRest(isNew: boolean): void {
    const isAwaited = this.#reader.isWithin && !this.#socket.isPaused();
    if (isNew || !isAwaited) {
      clearTimeout(this.#rest);
      this.#rest = undefined;
    }
    if (isAwaited) this.#rest ??= this.#endAfter(this.#options.times.messageMs);
  }

  /** @returns the bytes after the handshake, once it is complete */
  #shake(bytes: Buffer): Buffer | undefined {
    this.#handshake = Buffer.concat([this.#handshake, bytes]);
    if (!isBolt(this.#handshake)) {
      this.#socket.destroy();
      return undefined;
    }
    if (this.#handshake.length < HANDSHAKE_BYTES) return undefined;
    const version = chooseVersion(this.#handshake);
    this.#socket.write(handshakeAnswer(version));
    if (version === undefined) {
      this.#end();
      return undefined;
    }
    this.#session = this.#open(version);
    const rest = this.#handshake.subarray(HANDSHAKE_BYTES);
    this.#handshake = NO_BYTES;
    return rest;
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
      onIdle: () => this.#wait(),
    });
  }

  #signed(isSigned: boolean): void {
    clearTimeout(this.#signIn);
    this.#reader.maxBytes = isSigned ? MAX_MESSAGE_BYTES : MAX_FIRST_BYTES;
    if (!isSigned) this.#signIn = this.#endAfter(this.#options.times.signInMs);
  }

  /** All messages are answered: waits for the next one. */
  #wait(): void {
    if (this.#isClosing) {
      this.#end();
      return;
    }
    const { times, onWork } = this.#options;
    const session = this.#session as Session;
    this.#socket.resume();
    this.#awaitRest(false);
    clearTimeout(this.#idle);
    this.#idle = this.#endAfter(session.isOpen ? times.openMs : times.idleMs);
    onWork(session.isBusy);
  }

  /** Waits until the client has taken enough: a row that it does not read is not made. */
  async #send(answer: Buffer): Promise<void> {
    const socket = this.#socket;
    // In slices, so that a client that reads slowly has shown its progress before the end of a long answer.
    for (let at = 0; at < answer.length; at += SLICE_BYTES) {
      if (socket.destroyed || socket.writableEnded) return;
      if (!socket.write(answer.subarray(at, at + SLICE_BYTES)) && !socket.destroyed) await this.#drained();
    }
  }

  async #drained(): Promise<void> {
    const socket = this.#socket;
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
    this.#isClosing = true;
    this.#stopTimers();
    this.#session?.abandon();
    if (this.#socket.destroyed) return;
    this.#socket.end();
    // Or else the end that the client sends is not noticed.
    this.#socket.resume();
    this.#ending = this.#endAfter(this.#options.times.messageMs);
  }
}
