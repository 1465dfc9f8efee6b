/**
 * One connection to an LDAP server: messages with their numbers, encryption (TLS, or a sealed session), and what the server may not do.
 * Messages are read one at a time, and the socket is paused while one who asked is busy: whatever a server sends, no more than the bytes
 * of the last chunk wait here.
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

/** Seals what is sent and opens what arrives, after a sign-in that agreed on a key. */
export interface SecurityLayer {
  wrap(plain: Buffer): Buffer;
  /** @throws Error for bytes that were changed on their way */
  unwrap(sealed: Buffer): Buffer;
}

export interface Answer {
  readonly code: number;
  /** The rest of the result behind its code. */
  readonly body: BerReader;
  readonly controls: BerReader | undefined;
}

/** One who waits for the answer to a request. */
export interface Waiting {
  /** @returns false when no more should come now; `resume` then goes on. Others who wait for an answer are served all the same */
  entry?(body: BerReader): boolean;
  done(answer: Answer): void;
  fail(error: Error): void;
}

export interface LdapTarget extends Target, TlsOptions {
  /** TLS from the start, as on port 636. */
  readonly tls: boolean;
  /** Milliseconds that an answer may take; default: half a minute. */
  readonly silenceMs?: number;
}

const DEFAULT_SILENCE_MS = 30_000;
/** Sealed messages announce their length; RFC 4752 lets 16 MiB be the most. */
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
  /** Bytes that arrived, as they were on the wire. */
  bytesRead = 0;

  /** @throws Error with the controller's name and the remedy. */
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

  /** @returns the number of the request, for `forget`. */
  send(body: Buffer, controls: readonly Control[], waiting: Waiting): number {
    if (this.#failure !== undefined) throw this.#failure;
    const id = this.#nextId++;
    this.#waiting.set(id, waiting);
    // An answer to this one may stand behind entries that another one does not take now.
    if (this.#waiting.size > 1) queueMicrotask(() => this.resume());
    this.#write(berSequence(berInteger(id), body, encodeControls(controls)));
    return id;
  }

  /** Sends a request with one answer. @throws LdapError after `silenceMs` without one */
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
      `${this.host} is silent for ${this.silenceMs / 1000} s: is it stopped or overloaded? Another controller may answer`,
    );
  }

  forget(id: number): void {
    this.#waiting.delete(id);
  }

  /** Goes on after an `entry` that took no more. */
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
    // Bytes before the handshake were not protected: who put them there wants them to count as protected.
    if (this.#messages.size > 0) {
      plain.destroy();
      throw new Error(`${this.host} sent more than the answer to StartTLS before the handshake`);
    }
    this.#socket = await upgradeToTls(plain, this.host, this.#tls);
    this.#isEncrypted = true;
    this.#listen();
  }

  /** Everything that follows is sealed. */
  seal(security: SecurityLayer): void {
    if (this.#messages.size > 0) throw new Error(`${this.host} sent more than the answer to the sign-in`);
    this.#security = security;
    this.#sealed = new Frames(lengthInFront(MAX_SEALED_BYTES, 'a sealed message'));
    this.#isEncrypted = true;
  }

  /** Says goodbye; those who still wait fail. */
  close(): void {
    if (this.#failure !== undefined || this.#socket.destroyed) return;
    this.#write(berSequence(berInteger(this.#nextId++), unbindRequest()));
    this.#socket.end();
    this.#failAll(new Error('the connection was closed'));
  }

  /** Ends the connection at once, so that no open socket keeps the process alive. */
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

  /** Opens sealed messages until one of LDAP is complete: the two kinds do not begin at the same bytes. */
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
      // Messages of number 0 are notices; the only one that servers send ends the session.
      if (id === 0) throw new Error(`${this.host} ended the session`);
      return;
    }
    if (tag === TAG.reference) return;
    if (tag === TAG.entry) {
      if (waiting.entry === undefined) throw new Error(`${this.host} answers with an entry out of place`);
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
