/**
 * The body of a request, read once: each byte as it came over the wire goes to the verifier of the signature, then
 * through the decoders of its encodings to the code that reads it. It does not see the end of a body whose signature does not
 * fit, or one that is larger than allowed on the wire or decompressed.
 *
 * Reading starts with the first call of `stream`, `read` or `settle`. The connection is never torn down from here: a
 * reader that gives up early does not stop the verification of the rest, so there can still be an answer.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable, type Transform, type TransformCallback } from 'node:stream';
import { ApiError, apiError } from '../operation/apiError.ts';
import type { BodyVerifier } from '../operation/authentication.ts';
import { createDecoder } from './encodings.ts';

export interface BodyLimits {
  /** Bytes on the wire. */
  readonly received: number;
  /** Bytes after decompression. */
  readonly decoded: number;
  readonly tooLarge: (limit: number) => ApiError;
  readonly decodedTooLarge: (limit: number) => ApiError;
}

export interface BodyOptions {
  readonly verifier?: BodyVerifier;
  /** To be undone in this order. */
  readonly encodings: readonly string[];
  readonly limits: BodyLimits;
  /** Milliseconds without a byte after which a body counts as broken off. */
  readonly idleTimeout: number;
  readonly signal: AbortSignal;
  /** Called before the first byte is read. */
  readonly onStart: () => void;
  /** Called when the last byte was received, or no more will be. */
  readonly onReceived: () => void;
}

export class RequestBody {
  readonly #raw: IncomingMessage;
  readonly #options: BodyOptions;
  /** Settles when the whole body was received and verified. */
  #receiving: Promise<void> | undefined;
  #first: Transform | undefined;
  #last: Readable | undefined;

  constructor(raw: IncomingMessage, options: BodyOptions) {
    this.#raw = raw;
    this.#options = options;
  }

  /** @returns the decoded body: ends only when the signature fits, else fails with an ApiError. */
  stream(): Readable {
    const { encodings, limits } = this.#options;
    const last = new LastStage(limits, () => this.#receiving ?? Promise.resolve());
    const stages = encodings.map((name) => {
      const decoder = createDecoder(name);
      decoder.on('error', (error) => last.destroy(brokenEncoding(name, error)));
      return decoder;
    });
    const first = stages[0] ?? last;
    [...stages, last].reduce((from, to) => from.pipe(to));
    // A failure before the reader begins must not end the process; the reader still gets it.
    last.on('error', () => {});
    last.on('close', () => {
      for (const stage of stages) stage.destroy();
    });
    this.#first = first;
    this.#last = last;
    this.#receive().catch((error) => last.destroy(error));
    return last;
  }

  /** @returns the whole decoded body. */
  async read(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.stream()) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** No more reading. Sees the signature checked, if there is one, to the last byte, whether or not anybody read it. */
  async settle(): Promise<void> {
    this.#last?.destroy();
    if (this.#options.verifier !== undefined) await this.#receive();
  }

  #receive(): Promise<void> {
    this.#receiving ??= this.#pump().finally(this.#options.onReceived);
    // Readers learn of a failure through the stream.
    this.#receiving.catch(() => {});
    return this.#receiving;
  }

  async #pump(): Promise<void> {
    const { verifier, limits, onStart } = this.#options;
    onStart();
    let size = 0;
    for await (const chunk of this.#chunks()) {
      size += chunk.length;
      if (size > limits.received) throw limits.tooLarge(limits.received);
      verifier?.update(chunk);
      await this.#pass(chunk);
    }
    const refusal = await verifier?.finish();
    if (refusal !== undefined) throw refusal;
    this.#first?.end();
  }

  /** Hands a chunk to the reader, at the reader's pace; drops it when the reader has gone. */
  async #pass(chunk: Buffer): Promise<void> {
    const first = this.#first;
    if (first === undefined || first.destroyed || first.readableEnded || first.write(chunk)) return;
    const waiting = new AbortController();
    const signal = AbortSignal.any([waiting.signal, this.#options.signal]);
    try {
      await Promise.race(['drain', 'close', 'end'].map((event) => once(first, event, { signal })));
    } catch (error) {
      // An error of a decoder has its own way to the reader.
      if (this.#options.signal.aborted) throw this.#options.signal.reason;
      if (!first.destroyed) throw error;
    } finally {
      waiting.abort();
    }
  }

  /** Chunks of the wire; fails when the client stops sending, and when the request is over. */
  async *#chunks(): AsyncGenerator<Buffer> {
    const { idleTimeout, signal } = this.#options;
    const chunks: AsyncIterator<Buffer> = this.#raw.iterator({ destroyOnReturn: false });
    for (;;) {
      const next = await within(chunks.next(), idleTimeout, signal);
      if (next.done) break;
      yield next.value;
    }
    if (!this.#raw.complete) throw apiError('incompleteBody');
  }
}

/** @throws ApiError `incompleteBody` when there is no next chunk in time, or the connection breaks. */
async function within<T>(next: Promise<T>, idleTimeout: number, signal: AbortSignal): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(apiError('incompleteBody')), idleTimeout);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([next, over]);
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    throw apiError('incompleteBody');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** The end of the chain: counts what comes out of the decoders, and holds the end back until the body is verified. */
class LastStage extends PassThrough {
  readonly #limits: BodyLimits;
  readonly #verified: () => Promise<void>;
  #size = 0;

  constructor(limits: BodyLimits, verified: () => Promise<void>) {
    super();
    this.#limits = limits;
    this.#verified = verified;
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback) {
    this.#size += chunk.length;
    if (this.#size > this.#limits.decoded) callback(this.#limits.decodedTooLarge(this.#limits.decoded));
    else super._transform(chunk, encoding, callback);
  }

  override _flush(callback: TransformCallback) {
    this.#verified().then(() => callback(), callback);
  }
}

function brokenEncoding(encoding: string, error: Error): ApiError {
  return apiError('brokenEncoding', { encoding, reason: error.message });
}
