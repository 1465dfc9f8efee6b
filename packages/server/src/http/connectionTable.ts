/**
 * How many connections a server has, in all and from one address. When there are too many, the one that has waited longest is closed; the
 * address with most waiting connections pays first.
 */
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Limit for all addresses together. */
  readonly total: number;
  /** Limit for one address. */
  readonly address: number;
  /** Whether the address belongs to a proxy, which represents many clients. */
  readonly isProxy: (address: string) => boolean;
}

/** Maximum share of all connections for one address. */
export const ADDRESS_SHARE = 1 / 4;

/** Why a connection found no room. */
export type NoRoom = 'address' | 'total';

export class ConnectionTable {
  readonly #limits: ConnectionLimits;
  /** Connections without work by address, in waiting order. */
  readonly #waiting = new Map<string, Set<Socket>>();
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** Makes room by closing a connection that waits. @returns the limit that is reached, where no connection waits */
  makeRoom({ remoteAddress = '' }: Socket): NoRoom | undefined {
    const ofAddress = (this.#counts.get(remoteAddress) ?? 0) + 1;
    const isTooMany = ofAddress > this.#limits.address && !this.#limits.isProxy(remoteAddress);
    if (isTooMany && !endOldest(this.#waiting.get(remoteAddress))) return 'address';
    return this.#total >= this.#limits.total && !endOldest(this.#longestQueue()) ? 'total' : undefined;
  }

  /** Counts a connection until it ends. It waits. */
  add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    this.#total++;
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1);
    this.wait(socket, address);
    socket.once('close', () => {
      this.#total--;
      const left = (this.#counts.get(address) ?? 0) - 1;
      if (left === 0) this.#counts.delete(address);
      else this.#counts.set(address, left);
      this.work(socket, address);
    });
  }

  /** The connection has no work from now on, unless it has ended. @param address that it had at its beginning */
  wait(socket: Socket, address: string): void {
    if (socket.destroyed) return;
    const ofAddress = this.#waiting.get(address) ?? new Set();
    // Moves it to the end of the order.
    ofAddress.delete(socket);
    this.#waiting.set(address, ofAddress.add(socket));
  }

  /** The connection has work, and is not closed to make room. */
  work(socket: Socket, address: string): void {
    const ofAddress = this.#waiting.get(address);
    ofAddress?.delete(socket);
    if (ofAddress?.size === 0) this.#waiting.delete(address);
  }

  #longestQueue(): Set<Socket> | undefined {
    return [...this.#waiting.values()].reduce<Set<Socket> | undefined>(
      (longest, queue) => (queue.size > (longest?.size ?? 0) ? queue : longest),
      undefined,
    );
  }
}

/** @returns whether a connection was closed */
function endOldest(ofAddress: Set<Socket> | undefined): boolean {
  const [oldest] = ofAddress ?? [];
  if (oldest === undefined) return false;
  // Its end is noticed later: until then, it must not make room again.
  ofAddress?.delete(oldest);
  oldest.destroy();
  return true;
}
