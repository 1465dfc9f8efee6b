/**
 * An LDAP connection: numbered messages, encryption (TLS, or a sealed session), and limits for the server. Messages are read one at a time,
 * and the socket is paused while the receiver is busy, so that at most the last chunk is buffered here.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { BER_TAG, BerReader } from '../ber/reader.ts';
import { berInteger, berSequence } from '../ber/writer.ts';
import { connectTcp, connectTls, type Target, type TlsOptions, upgradeToTls } from '../net/connect.ts';
import { Frames, lengthInFront } from '../net/frames.ts';
import { type Control, encodeControls } from './controls.ts';
import { messageLength, startTlsRequest, TAG, unbindRequest } from './messages.ts';
import { LDAP_RESULT, LdapError, resultError } from './results.ts';

/** Encrypts and decrypts messages after a sign-in that negotiated a key. */
export interface SecurityLayer {
  wrap(plain: Buffer): Buffer;
  /** @throws Error for bytes that were changed in transit */
  unwrap(sealed: Buffer): Buffer;
}

export interface Answer {
  readonly code: number;
  /** The rest of the result after its code. */
  readonly body: BerReader;
  readonly controls: BerReader | undefined;
}

/** The receiver of the answer to a request. */
export interface Waiting {
  /** @returns false to pause; `resume` then continues. Other receivers still get their answers */
  entry?(body: BerReader): boolean;
  done(answer: Answer): void;
  fail(error: Error): void;
}

export interface LdapTarget extends Target, TlsOptions {
  /** TLS from the start, as on port 636. */
  readonly tls: boolean;
  /** Maximum milliseconds for an answer; default: half a minute. */
  readonly silenceMs?: number;
}

const DEFAULT_SILENCE_MS = 30_000;
/** Encrypted messages announce their length; RFC 4752 allows at most 16 MiB. */
const MAX_SEALED_BYTES = 2 ** 24;

export class LdapConnection {
  readonly host: string;
  readonly silenceMs: number;
  readonly #tls: TlsOptions;
  #socket: Socket;
  #isEncrypted: boolean;
  #messages = new Frames(messageLength);
  #sealed: Frames | undefined;
  #security: SecurityLayer | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #isHeldBack = false;
  #failure: Error | undefined;
  /** Number of bytes received from the network. */
  bytesRead = 0;

  /** @throws Error with the controller's name and the remedy */
  static async open(target: LdapTarget): Promise<LdapConnection> {
    const socket = target.tls ? await connectTls(target, target) : await connectTcp(target);
    return new LdapConnection(socket, target);
  }

  private constructor(socket: Socket, target: LdapTarget) {
    this.#socket = socket;
    this.host = target.host;
    this.silenceMs = target.silenceMs ?? DEFAULT_SILENCE_MS;
    this.#isEncrypted = target.tls;
    this.#tls = target;
    this.#listen();
  }

  get isEncrypted(): boolean {
    return this.#isEncrypted;
  }

  /** The certificate of the server (DER), for channel binding; undefined without TLS. */
  get serverCertificate(): Buffer | undefined {
    return this.#socket instanceof TLSSocket ? this.#socket.getPeerCertificate().raw : undefined;
  }

  /** @returns the number of the request, for `forget` */
  send(body: Buffer, controls: readonly Control[], waiting: Waiting): number {
    if (this.#failure !== undefined) throw this.#failure;
    const id = this.#nextId++;
    this.#waiting.set(id, waiting);
    // The answer may follow entries for which another receiver paused.
    if (this.#waiting.size > 1) queueMicrotask(() => this.resume());
    this.#write(berSequence(berInteger(id), body, encodeControls(controls)));
    return id;
  }

  /** Sends a request with one answer. @throws LdapError if none arrives within `silenceMs` */
  ask(body: Buffer, controls: readonly Control[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let id = 0;
      const timer = setTimeout(() => {
        this.forget(id);
        reject(this.silenceError());
      }, this.silenceMs);
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        act();
      };
      try {
        id = this.send(body, controls, {
          done: (answer) => settle(() => resolve(answer)),
          fail: (error) => settle(() => reject(error)),
        });
      } catch (error) {
        settle(() => reject(error));
      }
    });
  }

  silenceError(): LdapError {
    return new LdapError(
      LDAP_RESULT.silent,
      `${this.host} has been silent for ${this.silenceMs / 1000} s: is it stopped or overloaded? Another domain controller may respond`,
    );
  }

  forget(id: number): void {
    this.#waiting.delete(id);
  }

  /** Continues after `entry` returned false. */
  resume(): void {
    if (!this.#isHeldBack) return;
    this.#isHeldBack = false;
    try {
      this.#deliver();
    } catch (error) {
      this.destroy(error as Error);
    }
    if (!this.#isHeldBack) this.#socket.resume();
  }

  async startTls(): Promise<void> {
    const { code, body } = await this.ask(startTlsRequest());
    if (code !== LDAP_RESULT.success) throw resultError(code, body, `StartTLS at ${this.host}`);
    const plain = this.#socket;
    for (const event of ['data', 'error', 'close']) plain.removeAllListeners(event);
    // Bytes before the handshake were not protected, so an attacker may have inserted them.
    if (this.#messages.size > 0) {
      plain.destroy();
      throw new Error(`${this.host} sent more than the StartTLS response before the handshake`);
    }
    this.#socket = await upgradeToTls(plain, this.host, this.#tls);
    this.#isEncrypted = true;
    this.#listen();
  }

  /** Encrypts all following messages. */
  seal(security: SecurityLayer): void {
    if (this.#messages.size > 0) throw new Error(`${this.host} sent more than the response to the sign-in`);
    this.#security = security;
    this.#sealed = new Frames(lengthInFront(MAX_SEALED_BYTES, 'a sealed message'));
    this.#isEncrypted = true;
  }

  /** Unbinds; waiting requests fail. */
  close(): void {
    if (this.#failure !== undefined || this.#socket.destroyed) return;
    this.#write(berSequence(berInteger(this.#nextId++), unbindRequest()));
    this.#socket.end();
    this.#failAll(new Error('the connection was closed'));
  }

  /** Closes the connection at once, so that no open socket keeps the process alive. */
  destroy(error: Error): void {
    this.#failAll(error);
    this.#socket.destroy();
  }

  #write(message: Buffer): void {
    if (this.#security === undefined) {
      this.#socket.write(message);
      return;
    }
    const sealed = this.#security.wrap(message);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(sealed.length);
    this.#socket.write(Buffer.concat([length, sealed]));
  }

  #listen(): void {
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#failAll(new Error(`${this.host}: ${error.message}`)));
    this.#socket.on('close', () => this.#failAll(new Error(`${this.host} closed the connection`)));
  }

  #receive(chunk: Buffer): void {
    this.bytesRead += chunk.length;
    (this.#sealed ?? this.#messages).push(chunk);
    try {
      this.#deliver();
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #deliver(): void {
    while (!this.#isHeldBack) {
      const message = this.#messages.take() ?? this.#unsealed();
      if (message === undefined) return;
      this.#dispatch(new BerReader(message).enter(BER_TAG.sequence));
    }
    this.#socket.pause();
  }

  /** Decrypts messages until an LDAP message is complete: the boundaries of the two kinds differ. */
  #unsealed(): Buffer | undefined {
    for (;;) {
      const sealed = this.#sealed?.take();
      if (sealed === undefined || this.#security === undefined) return undefined;
      this.#messages.push(this.#security.unwrap(sealed.subarray(4)));
      const message = this.#messages.take();
      if (message !== undefined) return message;
    }
  }

  #dispatch(reader: BerReader): void {
    const id = reader.integer();
    const tag = reader.peek();
    const body = reader.enter();
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      // Messages with number 0 are notices; the only one that servers send ends the session.
      if (id === 0) throw new Error(`${this.host} ended the session`);
      return;
    }
    if (tag === TAG.reference) return;
    if (tag === TAG.entry) {
      if (waiting.entry === undefined) throw new Error(`${this.host} sent an entry at the wrong place`);
      this.#isHeldBack = !waiting.entry(body) && this.#waiting.size === 1;
      return;
    }
    this.#waiting.delete(id);
    const code = body.integer(BER_TAG.enumerated);
    waiting.done({ code, body, controls: reader.hasMore ? reader.enter(TAG.controls) : undefined });
  }

  #failAll(error: Error): void {
    this.#failure ??= error;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.fail(error);
  }
}
