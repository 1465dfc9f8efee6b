/**
 * Decides whether and when a failed request is repeated: exponential back-off with full jitter, unless the service gives a time (429, 503).
 */
import { errorCatalog } from '@clew/api';
import { ApiError, ConnectionError, TimeoutError } from './errors.ts';

export interface RetryPolicy {
  /** Attempts after the first one; 0 turns retries off. */
  readonly retries: number;
  /** Upper limit of the first pause in milliseconds; it doubles with each attempt. */
  readonly firstPause: number;
  /** Maximum pause in milliseconds; if the service asks for a longer one, the request fails. */
  readonly longestPause: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = { retries: 4, firstPause: 250, longestPause: 30_000 };

/** Repeating these has no further effect (RFC 9110, 9.2.2). */
const IDEMPOTENT_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

export function isIdempotent(method: string): boolean {
  return IDEMPOTENT_METHODS.has(method);
}

/**
 * @param failures number of failed attempts so far, at least 1
 * @param idempotent whether the request may be repeated even if it was already carried out
 * @returns milliseconds to wait before the next attempt, or `undefined` to give up
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
  // A refused connection and a rate limit mean that nothing was carried out.
  if (error instanceof ConnectionError) return idempotent || error.code === 'ECONNREFUSED';
  if (error instanceof ApiError) {
    // A request that timed out would probably time out again; its caller may allow more time (`Prefer: wait`).
    if (error.messages.includes(errorCatalog.timedOut.message)) return false;
    return error.status === 429 || (idempotent && error.status >= 500 && error.status !== 501);
  }
  return idempotent && error instanceof TimeoutError;
}

/**
 * Reads the time of the next attempt from the answer: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), else `X-RateLimit-Reset` in
 * seconds since the epoch. @returns milliseconds from now
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

/** @throws the reason of the signal when it aborts */
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
