/**
 * Keeps loaded values briefly, so that thousands of requests per second do not become thousands of queries. A change by this process is
 * visible immediately (`clear`), a change by another process only after this time.
 */
import { RequestWork } from '@clew/store';

const FRESH_MS = 1000;
const CAPACITY = 10_000;

interface Entry<V> {
  readonly value: Promise<V>;
  readonly loadedAt: number;
}

/** @returns milliseconds since the epoch */
interface Moment {
  now(): number;
}

export class FreshCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #load: (key: string) => Promise<V>;
  readonly #clock: Moment;

  constructor(load: (key: string) => Promise<V>, clock: Moment = Date) {
    this.#load = load;
    this.#clock = clock;
  }

  /** Simultaneous requests share a load, so the end of one request does not cancel it. A failed load is not kept. */
  get(key: string): Promise<V> {
    const now = this.#clock.now();
    const known = this.#entries.get(key);
    if (known !== undefined && Math.abs(now - known.loadedAt) < FRESH_MS) return known.value;
    const entry = { value: RequestWork.outside(() => this.#load(key)), loadedAt: now };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    if (this.#entries.size > CAPACITY) this.#forgetOldest();
    return entry.value;
  }

  /** Removes all values that were loaded before. */
  clear(): void {
    this.#entries.clear();
  }

  #forgetOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
