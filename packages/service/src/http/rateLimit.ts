/**
 * Rate limits: fixed windows of one second, counted in memory (`docs/reference/api.md#rate-limits`).
 *
 * A request counts for its address and principal. Requests without a principal, because they are anonymous or their
 * credentials are wrong, share the budget of their address, whatever credentials they make up; those with one do not
 * suffer from such neighbours, unless there are so many that even looking at their credentials would cost too much.
 */
import { errorMessage, type RateClass } from '@clew/api';
import { ApiError } from '../operation/apiError.ts';
import type { Principal } from '../operation/principal.ts';

const WINDOW_MS = 1000;
const LOGINS_A_SECOND = 1;
/** So many times the limit of requests without a principal, and credentials of that address are not looked at. */
const FLOOD_FACTOR = 4;

export class RateLimiter {
  readonly #limit: number;
  readonly #now: () => number;
  #window = 0;
  /** Of the current window only: memory is bounded by what arrives in a second. */
  readonly #counts = new Map<string, number>();

  /** @param limit requests per second; 0 turns all limits off. */
  constructor(limit: number, now: () => number = Date.now) {
    this.#limit = limit;
    this.#now = now;
  }

  /**
   * Before authentication: counts logins, and turns floods away.
   * @throws ApiError 429
   */
  admit(rateClass: RateClass, address: string): void {
    if (rateClass === 'login') this.#take(`login ${address}`, LOGINS_A_SECOND);
    const isFlood =
      rateClass === 'standard' && this.#countOf(`standard ${address} `) >= this.#limit * FLOOD_FACTOR;
    if (isFlood && this.#limit > 0) throw tooManyRequests(this.#limit, this.#window + 1);
  }

  /**
   * After authentication: counts the request.
   * @param principal absent when the credentials were wrong
   * @throws ApiError 429
   */
  count(rateClass: RateClass, address: string, principal: Principal | undefined): void {
    if (rateClass === 'standard') this.#take(`standard ${address} ${idOf(principal)}`, this.#limit);
  }

  #take(key: string, limit: number): void {
    const count = this.#countOf(key) + 1;
    this.#counts.set(key, count);
    if (this.#limit > 0 && count > limit) throw tooManyRequests(limit, this.#window + 1);
  }

  #countOf(key: string): number {
    const window = Math.floor(this.#now() / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    return this.#counts.get(key) ?? 0;
  }
}

function idOf(principal: Principal | undefined): string {
  if (principal === undefined || principal.kind === 'anonymous') return '';
  return principal.kind === 'user' ? principal.userId : principal.clientId;
}

/** @param reset when the window ends, in seconds since the epoch. */
function tooManyRequests(limit: number, reset: number): ApiError {
  return new ApiError('tooManyRequests', errorMessage('tooManyRequests'), {
    headers: {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(reset),
      'Retry-After': '1',
    },
  });
}
