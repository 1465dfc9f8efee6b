/** Limits the memory of rows that clients requested but have not read: per user, and in total. */
import { BoltFailure } from './boltFailure.ts';

export interface OpenRowLimits {
  readonly total: number;
  readonly user: number;
}

export const OPEN_ROW_LIMITS: OpenRowLimits = { total: 512 * 2 ** 20, user: 128 * 2 ** 20 };

export class OpenRows {
  readonly #limits: OpenRowLimits;
  readonly #users = new Map<string, number>();
  #total = 0;

  constructor(limits: OpenRowLimits) {
    this.#limits = limits;
  }

  /**
   * A single answer above the limit is accepted if no other is open.
   * @param user id of the user @returns a function that releases them @throws BoltFailure if too many are open
   */
  hold(user: string, bytes: number): () => void {
    const own = this.#users.get(user) ?? 0;
    const isOver = (held: number, limit: number): boolean => held > 0 && held + bytes > limit;
    if (isOver(own, this.#limits.user) || isOver(this.#total, this.#limits.total))
      throw new BoltFailure(
        'Neo.TransientError.Request.NoThreadsAvailable',
        'too many rows wait to be read: read or discard open results first',
      );
    this.#add(user, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.#add(user, -bytes);
      isHeld = false;
    };
  }

  #add(user: string, bytes: number): void {
    this.#total += bytes;
    const own = (this.#users.get(user) ?? 0) + bytes;
    if (own === 0) this.#users.delete(user);
    else this.#users.set(user, own);
  }
}
