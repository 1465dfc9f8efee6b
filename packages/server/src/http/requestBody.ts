/**
 * The body of a request, read once. Without a signature, its bytes go through the decoder to the reader. With a signature, the raw bytes
 * are buffered, and passed on after verification: nothing of an unverified body is decoded, read or stored. The reader never sees the end
 * of a body that is too large, as sent or decoded.
 *
 * Reading starts with the first call of `stream`, `read` or `settle`. The connection is never closed here: a reader that stops early does
 * not stop the verification of the rest, so that an answer is still possible.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable, type Transform, type TransformCallback } from 'node:stream';
import { ApiError, apiError, type BodyVerifier } from '@clew/common';
import { createDecoder } from './encodings.ts';
import type { HeldBody } from './unprovenBodies.ts';

/** Minimum pace of an unverified body after an initial delay: a slower sender only occupies a slot. */
const UNPROVEN_PACE = { graceMs: 30_000, bytesPerSecond: 4096 };
/** Decoded size below which the ratio is not checked: small repetitive texts are not an attack. */
const RATIO_FROM_BYTES = 1024 * 1024;

export interface BodyLimits {
  /** Maximum bytes as sent. */
  readonly received: number;
  /** Maximum bytes after decompression. */
  readonly decoded: number;
  /** Maximum ratio of decoded to sent bytes. */
  readonly ratio: number;
  readonly tooLarge: (limit: number) => ApiError;
  readonly decodedTooLarge: (limit: number) => ApiError;
}

export interface BodyOptions {
  /** Verifier for the body of a signed request, and the buffer used until verification. */
  readonly unproven?: { readonly verifier: BodyVerifier; readonly held: HeldBody };
  /** Name of the encoding to decode. */
  readonly encoding: string | undefined;
  readonly limits: BodyLimits;
  /** Milliseconds without data after which a body counts as incomplete. */
  readonly idleTimeout: number;
  readonly signal: AbortSignal;
  /** Called before the first byte is read. */
  readonly onStart: () => void;
  /** Called when the sender is verified: at once without a signature. @throws ApiError if the sender is refused */
  readonly onProven: () => void;
  /** Called when the last byte was received, or reception has ended. */
  readonly onReceived: () => void;
  /** Called before the reader sees the end. @throws ApiError that the reader receives instead */
  readonly onRead?: () => void;
}

export class RequestBody {
  readonly #raw: IncomingMessage;
  readonly #options: BodyOptions;
  /** Settles when the whole body was received and verified. */
  #receiving: Promise<void> | undefined;
  readonly #proof = Promise.withResolvers<void>();
  #first: Transform | undefined;
  #last: Readable | undefined;
  /** Bytes passed to the first stage. */
  #passed = 0;

  constructor(raw: IncomingMessage, options: BodyOptions) {
    this.#raw = raw;
    this.#options = options;
    // Only streaming handlers wait for it.
    this.#proof.promise.catch(() => {});
  }

  /** @returns the decoded body: ends only if the signature is valid, else fails with an ApiError */
  stream(): Readable {
    const { encoding, limits, onRead } = this.#options;
    const last = new LastStage(
      limits,
      () => this.#passed,
      async () => {
        await this.#receiving;
        onRead?.();
      },
    );
    // An error before the reader starts must not crash the process; the reader still receives it.
    last.on('error', () => {});
    this.#first = last;
    if (encoding !== undefined) {
      const decoder = createDecoder(encoding);
      decoder.on('error', (error) => last.destroy(brokenEncoding(encoding, error)));
      decoder.pipe(last);
      last.on('close', () => decoder.destroy());
      this.#first = decoder;
    }
    this.#last = last;
    this.#receive().catch((error) => last.destroy(error));
    return last;
  }

  /**
   * Starts receiving, and waits until the sender is verified (at once without a signature), so that a handler does no work for unverified
   * senders.
   * @throws ApiError if the sender is refused
   */
  proven(): Promise<void> {
    this.#receive().catch((error) => this.#proof.reject(error));
    return this.#proof.promise;
  }

  /** @returns the whole decoded body */
  async read(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.stream()) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Ends reading. Still verifies the signature to the last byte, if there is one. */
  async settle(): Promise<void> {
    this.#last?.destroy();
    if (this.#options.unproven !== undefined) await this.#receive();
  }

  #receive(): Promise<void> {
    this.#receiving ??= this.#pump().finally(this.#options.onReceived);
    // Readers receive errors through the stream.
    this.#receiving.catch(() => {});
    return this.#receiving;
  }

  async #pump(): Promise<void> {
    const { unproven, onStart } = this.#options;
    onStart();
    if (unproven === undefined) {
      this.#proof.resolve();
      for await (const chunk of this.#chunks()) await this.#pass(chunk);
    } else {
      await this.#prove(unproven);
    }
    this.#first?.end();
  }

  /** Buffers the body to its last byte, and passes it on if the signature is valid. */
  async #prove({ verifier, held }: NonNullable<BodyOptions['unproven']>): Promise<void> {
    await using body = held;
    for await (const chunk of this.#chunks()) {
      verifier.update(chunk);
      if (this.#isRead()) await body.write(chunk);
    }
    const refusal = await verifier.finish();
    if (refusal !== undefined) throw refusal;
    this.#options.onProven();
    this.#proof.resolve();
    for await (const chunk of body.read()) {
      if (!this.#isRead()) return;
      await this.#pass(chunk);
    }
  }

  #isRead(): boolean {
    return this.#first !== undefined && !this.#first.destroyed && !this.#first.readableEnded;
  }

  /** Passes a chunk to the reader at its pace; drops it if the reader has ended. */
  async #pass(chunk: Buffer): Promise<void> {
    const first = this.#first;
    this.#passed += chunk.length;
    if (first === undefined || !this.#isRead() || first.write(chunk)) return;
    const waiting = new AbortController();
    const signal = AbortSignal.any([waiting.signal, this.#options.signal]);
    try {
      await Promise.race(['drain', 'close', 'end'].map((event) => once(first, event, { signal })));
    } catch (error) {
      // Decoder errors reach the reader on their own.
      if (this.#options.signal.aborted) throw this.#options.signal.reason;
      if (!first.destroyed) throw error;
    } finally {
      waiting.abort();
    }
  }

  /** Raw chunks; fails if they are too many or too slow, or the request has ended. */
  async *#chunks(): AsyncGenerator<Buffer> {
    const { idleTimeout, signal, limits, unproven } = this.#options;
    const chunks: AsyncIterator<Buffer> = this.#raw.iterator({ destroyOnReturn: false });
    const startedAt = Date.now();
    let size = 0;
    for (;;) {
      const next = await within(chunks.next(), idleTimeout, signal);
      if (next.done) break;
      size += next.value.length;
      if (size > limits.received) throw limits.tooLarge(limits.received);
      if (unproven !== undefined && isTooSlow(size, Date.now() - startedAt)) throw apiError('incompleteBody');
      yield next.value;
    }
    if (!this.#raw.complete) throw apiError('incompleteBody');
  }
}

function isTooSlow(bytes: number, ms: number): boolean {
  const { graceMs, bytesPerSecond } = UNPROVEN_PACE;
  return ms > graceMs && bytes < (ms / 1000) * bytesPerSecond;
}

/** @throws ApiError `incompleteBody` if no chunk arrives in time, or the connection breaks */
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

/** The end of the chain: counts decoded bytes, and delays the end until everything was received. */
class LastStage extends PassThrough {
  readonly #limits: BodyLimits;
  readonly #passed: () => number;
  readonly #mayEnd: () => Promise<void>;
  #size = 0;

  /** @param mayEnd resolves when the reader may see the end */
  constructor(limits: BodyLimits, passed: () => number, mayEnd: () => Promise<void>) {
    super();
    this.#limits = limits;
    this.#passed = passed;
    this.#mayEnd = mayEnd;
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback) {
    const { decoded, ratio, decodedTooLarge } = this.#limits;
    this.#size += chunk.length;
    if (this.#size > decoded) callback(decodedTooLarge(decoded));
    else if (this.#size > RATIO_FROM_BYTES && this.#size > this.#passed() * ratio)
      callback(apiError('bodyRatioTooHigh', { limit: ratio }));
    else super._transform(chunk, encoding, callback);
  }

  override _flush(callback: TransformCallback) {
    this.#mayEnd().then(() => callback(), callback);
  }
}

function brokenEncoding(encoding: string, error: Error): ApiError {
  return apiError('brokenEncoding', { encoding, reason: error.message });
}
