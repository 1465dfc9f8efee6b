/**
 * Limits the number of connections. At the limit, the connection that has waited longest without a request is closed; if all have one, only
 * health checks are answered, on a small reserve of connections. So no number of incomplete requests keeps other clients out. Figures:
 * `docs/operations.md#bounds`.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Limit for all addresses together. */
  readonly total: number;
  /** Limit for one address. */
  readonly address: number;
  /** Whether the address belongs to a proxy, which represents many clients. */
  readonly isProxy: (address: string) => boolean;
}

/** Connections for health checks beyond the total. */
const RESERVE = 16;

export interface Connections {
  /** Whether the connection belongs to the reserve. */
  isReserve(socket: Socket): boolean;
}

/** Limits the connections of a server from now on. */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  /** Connections without a request by address, in waiting order. */
  const waiting = new Map<string, Set<Socket>>();
  const counts = new Map<string, number>();
  const reserve = new Set<Socket>();
  let total = 0;

  const wait = (socket: Socket, address: string): void => {
    const ofAddress = waiting.get(address) ?? new Set();
    // Moves it to the end of the order.
    ofAddress.delete(socket);
    waiting.set(address, ofAddress.add(socket));
  };
  const stopWaiting = (socket: Socket, address: string): void => {
    const ofAddress = waiting.get(address);
    ofAddress?.delete(socket);
    if (ofAddress?.size === 0) waiting.delete(address);
  };
  /** @returns whether a connection was closed */
  const endOldest = (ofAddress: Set<Socket> | undefined): boolean => {
    const [oldest] = ofAddress ?? [];
    oldest?.destroy();
    return oldest !== undefined;
  };
  /** Closes a connection of the address with the most waiting ones first. */
  const longestQueue = () =>
    [...waiting.values()].reduce<Set<Socket> | undefined>(
      (longest, queue) => (queue.size > (longest?.size ?? 0) ? queue : longest),
      undefined,
    );

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const ofAddress = (counts.get(address) ?? 0) + 1;
    if (ofAddress > limits.address && !limits.isProxy(address) && !endOldest(waiting.get(address)))
      return socket.destroy();
    if (total >= limits.total && !endOldest(longestQueue())) {
      if (reserve.size >= RESERVE) return socket.destroy();
      reserve.add(socket);
    }
    total++;
    counts.set(address, (counts.get(address) ?? 0) + 1);
    wait(socket, address);
    socket.once('close', () => {
      total--;
      const left = (counts.get(address) ?? 0) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
      stopWaiting(socket, address);
      reserve.delete(socket);
    });
    return undefined;
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const address = socket.remoteAddress ?? '';
    stopWaiting(socket, address);
    response.once('close', () => {
      if (!socket.destroyed) wait(socket, address);
    });
  });
  return { isReserve: (socket) => reserve.has(socket) };
}
