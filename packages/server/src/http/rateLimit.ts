/**
 * Rate limits: fixed windows of one second, counted in memory (`docs/reference/api.md#rate-limits`). Processes that share a database
 * exchange their counts, in fractions of a limit.
 *
 * A request counts for its address, principal and operation once its sender is verified. Wrong credentials share one budget per address,
 * whatever they claim to be; other clients at this address are not affected, unless there are so many requests that even checking
 * credentials is too expensive.
 */
import type { RouteContract } from '@clew/api';
import { type ApiError, type Principal, principalId, tooManyRequests } from '@clew/common';

const WINDOW_MS = 1000;
const LOGINS_A_SECOND = 1;
/** Factors on the limit, by `RateClass`. */
const FACTORS = { standard: 1, wide: 10, static: 100 } as const;
/** Factor on the limit of wrong credentials; above it, credentials from this address are not checked. */
const FLOOD_FACTOR = 4;

/** A count is sent to other processes each time it has grown by this fraction of its limit. */
const SHARED_PART = 1 / 8;
/** Maximum number of messages per window; further requests are counted in this process only. */
const MAX_SHARED = 200;

/** Requests that a process counted in a window since its last message. */
export interface SharedCount {
  /** Seconds since the epoch. */
  readonly window: number;
  readonly key: string;
  readonly count: number;
}

type Counted = Pick<RouteContract, 'rateClass' | 'operationId'>;

export class RateLimiter {
  readonly #limit: number;
  readonly #now: () => number;
  #window = 0;
  /** Counts of the current window only, so that memory is bounded by the requests of a second. */
  readonly #counts = new Map<string, number>();
  /** Counted here, and not yet sent to other processes. */
  readonly #untold = new Map<string, number>();
  #told = 0;
  #share: ((count: SharedCount) => void) | undefined;

  /** @param limit requests per second; 0 disables all limits */
  constructor(limit: number, now: () => number = Date.now) {
    this.#limit = limit;
    this.#now = now;
  }

  /** @param share sends counts to other processes; never throws */
  shareWith(share: (count: SharedCount) => void): void {
    this.#share = share;
  }

  /** Adds counts of another process. Counts of past windows are ignored. */
  add({ window, key, count }: SharedCount): void {
    const known = this.#countOf(key);
    if (window === this.#window) this.#counts.set(key, known + count);
  }

  /**
   * Runs before authentication: counts sign-ins, and refuses floods.
   * @throws ApiError 429
   */
  admit({ rateClass }: Counted, address: string): void {
    if (rateClass === 'exempt') return;
    if (rateClass === 'login') this.#take(`login ${address}`, LOGINS_A_SECOND);
    const isFlood = this.#countOf(failures(address)) >= this.#limit * FLOOD_FACTOR;
    if (isFlood && this.#limit > 0) throw limitReached(this.#limit, this.#window + 1);
  }

  /**
   * Counts wrong credentials.
   * @throws ApiError 429
   */
  countFailure({ rateClass }: Counted, address: string): void {
    if (rateClass !== 'login') this.#take(failures(address), this.#limit);
  }

  /**
   * Counts a request with a verified sender.
   * @throws ApiError 429
   */
  count({ rateClass = 'standard', operationId }: Counted, address: string, principal: Principal): void {
    if (rateClass === 'exempt' || rateClass === 'login') return;
    this.#take(`${operationId} ${address} ${principalId(principal)}`, this.#limit * FACTORS[rateClass]);
  }

  #take(key: string, limit: number): void {
    const count = this.#countOf(key) + 1;
    this.#counts.set(key, count);
    this.#tell(key, limit);
    if (this.#limit > 0 && count > limit) throw limitReached(limit, this.#window + 1);
  }

  #tell(key: string, limit: number): void {
    if (this.#share === undefined || this.#told >= MAX_SHARED) return;
    const count = (this.#untold.get(key) ?? 0) + 1;
    const isTold = count >= limit * SHARED_PART;
    this.#untold.set(key, isTold ? 0 : count);
    if (!isTold) return;
    this.#told++;
    this.#share({ window: this.#window, key, count });
  }

  #countOf(key: string): number {
    const window = Math.floor(this.#now() / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
      this.#untold.clear();
      this.#told = 0;
    }
    return this.#counts.get(key) ?? 0;
  }
}

const failures = (address: string) => `failures ${address}`;

/** @param reset end of the window, in seconds since the epoch */
function limitReached(limit: number, reset: number): ApiError {
  return tooManyRequests({
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(reset),
  });
}
