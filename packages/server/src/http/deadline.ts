/**
 * The lifetime of a request: its signal aborts when the client disconnects or the time limit expires. The clock is paused while a file is
 * received, so that a slow connection does not abort a large upload.
 */
import { ApiError, apiError, type RequestClock } from '@clew/common';

/** Abort reason after the client has disconnected. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export class Deadline implements RequestClock {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #left: number;
  #startedAt = 0;
  #expiry: ApiError | undefined;

  /** @param milliseconds time limit; Infinity for none */
  constructor(milliseconds: number) {
    this.#left = milliseconds;
    this.resume();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds since the epoch; Infinity while paused. */
  get at(): number {
    return this.#timer === undefined ? Number.POSITIVE_INFINITY : this.#startedAt + this.#left;
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= Date.now() - this.#startedAt;
  }

  resume(): void {
    if (this.#timer !== undefined || this.#left === Number.POSITIVE_INFINITY || this.signal.aborted) return;
    this.#startedAt = Date.now();
    this.#timer = setTimeout(
      () => this.#abort(this.#expiry ?? apiError('timedOut')),
      Math.max(0, this.#left),
    );
    this.#timer.unref();
  }

  /** Extends the remaining time. @param milliseconds wasted time */
  giveBack(milliseconds: number): void {
    const runs = this.#timer !== undefined;
    this.pause();
    this.#left += milliseconds;
    if (runs) this.resume();
  }

  expireWith(error: ApiError): void {
    this.#expiry = error;
  }

  /** Aborts the request because its client has disconnected. */
  abandon(): void {
    this.#abort(new ClientGone('the client has closed the connection'));
  }

  /** Call this when the request is answered. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Number.POSITIVE_INFINITY;
  }

  /** @returns the result of the work, or rejects with the abort reason at once */
  async race<T>(work: Promise<T>): Promise<T> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(this.signal.reason);
    if (this.signal.aborted) onAbort();
    this.signal.addEventListener('abort', onAbort, { once: true });
    // The losing promise may still reject, and no code waits for it.
    work.catch(() => {});
    try {
      return await Promise.race([work, aborted]);
    } finally {
      this.signal.removeEventListener('abort', onAbort);
    }
  }

  #abort(reason: ApiError | ClientGone): void {
    this.stop();
    this.#controller.abort(reason);
  }
}

/** @returns the abort reason if the signal has aborted, because canceled work fails in many ways */
export function reasonOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && !(error instanceof ApiError) ? signal.reason : error;
}
