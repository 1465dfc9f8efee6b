/**
 * The life of a request: its signal aborts when the client has disconnected or its time is up. Time does not run while a file is being
 * received, so a slow line does not kill a large upload.
 */
import { ApiError, apiError, type RequestClock } from '@clew/common';

/** Reason of the abort when no client waits for an answer any more. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export class Deadline implements RequestClock {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #left: number;
  #startedAt = 0;

  /** @param milliseconds until the time is up; Infinity for never. */
  constructor(milliseconds: number) {
    this.#left = milliseconds;
    this.resume();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds since the epoch; Infinity while time does not run. */
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
    this.#timer = setTimeout(() => this.#abort(apiError('timedOut')), Math.max(0, this.#left));
    this.#timer.unref();
  }

  /** Lengthens the time that is left. @param milliseconds that were spent in vain */
  giveBack(milliseconds: number): void {
    const runs = this.#timer !== undefined;
    this.pause();
    this.#left += milliseconds;
    if (runs) this.resume();
  }

  /** Ends the request because its client has disconnected. */
  abandon(): void {
    this.#abort(new ClientGone('the client has closed the connection'));
  }

  /** To be called when the request is answered. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Number.POSITIVE_INFINITY;
  }

  /** @returns the result of the work, or rejects with the reason of the abort as soon as there is one. */
  async race<T>(work: Promise<T>): Promise<T> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(this.signal.reason);
    if (this.signal.aborted) onAbort();
    this.signal.addEventListener('abort', onAbort, { once: true });
    // The loser of the race may still fail: no code waits for it.
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

/** @returns the cause of an error once the signal has aborted: canceled work fails in many ways, all for one reason */
export function reasonOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && !(error instanceof ApiError) ? signal.reason : error;
}
