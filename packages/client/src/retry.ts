/**
 * When a failed request is tried again, and after how long: exponential back-off with full jitter, unless the service
 * says when (429, 503).
 */
import { errorCatalog } from '@clew/api';
import { ApiError, ConnectionError, TimeoutError } from './errors.ts';

export interface RetryPolicy {
  /** Tries after the first one; 0 turns retries off. */
  readonly retries: number;
  /** Upper bound of the first pause in milliseconds; it doubles with each try. */
  readonly firstPause: number;
  /** No pause is longer, in milliseconds; a service that asks for more is answered by giving up. */
  readonly longestPause: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = { retries: 4, firstPause: 250, longestPause: 30_000 };

/** Repeating these changes nothing more (RFC 9110, 9.2.2). */
const IDEMPOTENT_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

export function isIdempotent(method: string): boolean {
  return IDEMPOTENT_METHODS.has(method);
}

/**
 * @param failures tries that failed so far, at least 1
 * @param idempotent whether the request may have been carried out without harm
 * @returns milliseconds to wait before the next try, or `undefined` to give up
 */
export function pauseBeforeRetry(
  error: unknown,
  failures: number,
  idempotent: boolean,
  policy: RetryPolicy,
): number | undefined {
  if (failures > policy.retries || !isWorthRetrying(error, idempotent)) return undefined;
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  if (asked !== undefined) return asked <= policy.longestPause ? asked : undefined;
  return Math.random() * Math.min(policy.longestPause, policy.firstPause * 2 ** (failures - 1));
}

function isWorthRetrying(error: unknown, idempotent: boolean): boolean {
  // A refused connection and a tripped limiter mean that nothing has been done yet.
  if (error instanceof ConnectionError) return idempotent || error.code === 'ECONNREFUSED';
  if (error instanceof ApiError) {
    // A request that took too long would take as long again: its caller may wait longer (`Prefer: wait`).
    if (error.messages.includes(errorCatalog.timedOut.message)) return false;
    return error.status === 429 || (idempotent && error.status >= 500 && error.status !== 501);
  }
  return idempotent && error instanceof TimeoutError;
}

/**
 * Reads the time of the next try from the answer: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), else
 * `X-RateLimit-Reset` in seconds since the epoch. @returns milliseconds from now
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const retryAfter = headers.get('retry-after');
  if (retryAfter !== null) {
    const at = /^\d+$/.test(retryAfter) ? now + Number(retryAfter) * 1000 : Date.parse(retryAfter);
    if (!Number.isNaN(at)) return Math.max(0, at - now);
  }
  const reset = headers.get('x-ratelimit-reset');
  if (reset !== null && /^\d+$/.test(reset)) return Math.max(0, Number(reset) * 1000 - now);
  return undefined;
}

/** @throws the signal's reason as soon as it aborts */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
