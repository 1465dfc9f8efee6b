/**
 * Rate limits: fixed windows of one second, counted in memory (`docs/reference/api.md#rate-limits`).
 *
 * A request counts for its address, principal and operation, once it is certain who sends it. Wrong credentials share
 * one budget by address, whatever they claim to be; who shares an address with such a sender does not suffer from it,
 * unless there are so many that even looking at credentials would cost too much.
 */
import type { RouteContract } from '@clew/api';
import { type ApiError, tooManyRequests } from '../operation/apiError.ts';
import type { Principal } from '../operation/principal.ts';

const WINDOW_MS = 1000;
const LOGINS_A_SECOND = 1;
/** So many times the limit, by `RateClass`. */
const FACTORS = { standard: 1, wide: 10, static: 100 } as const;
/** So many times the limit of wrong credentials, and those of that address are not looked at. */
const FLOOD_FACTOR = 4;

type Counted = Pick<RouteContract, 'rateClass' | 'operationId'>;

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
   * Counts a request whose sender is certain.
   * @throws ApiError 429
   */
  count({ rateClass = 'standard', operationId }: Counted, address: string, principal: Principal): void {
    if (rateClass === 'exempt' || rateClass === 'login') return;
    this.#take(`${operationId} ${address} ${idOf(principal)}`, this.#limit * FACTORS[rateClass]);
  }

  #take(key: string, limit: number): void {
    const count = this.#countOf(key) + 1;
    this.#counts.set(key, count);
    if (this.#limit > 0 && count > limit) throw limitReached(limit, this.#window + 1);
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

const failures = (address: string) => `failures ${address}`;

function idOf(principal: Principal): string {
  if (principal.kind === 'anonymous') return '';
  return principal.kind === 'user' ? principal.userId : principal.clientId;
}

/** @param reset when the window ends, in seconds since the epoch. */
function limitReached(limit: number, reset: number): ApiError {
  return tooManyRequests({
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(reset),
  });
}
