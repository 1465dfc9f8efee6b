/**
 * Limits the number of connections. At the limit, the connection that has waited longest without a request is closed; if all have one, only
 * health checks are answered, on a small reserve of connections. So no number of incomplete requests keeps other clients out. Figures:
 * `docs/operations.md#bounds`.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ConnectionLimits, ConnectionTable } from './connectionTable.ts';

/** Connections for health checks beyond the total. */
const RESERVE = 16;

export interface Connections {
  /** Whether the connection belongs to the reserve. */
  isReserve(socket: Socket): boolean;
}

/** Limits the connections of a server from now on. */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  const table = new ConnectionTable(limits);
  const reserve = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const noRoom = table.makeRoom(socket);
    if (noRoom === 'address' || (noRoom === 'total' && reserve.size >= RESERVE)) return socket.destroy();
    if (noRoom === 'total') {
      reserve.add(socket);
      socket.once('close', () => reserve.delete(socket));
    }
    table.add(socket);
    return undefined;
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const address = socket.remoteAddress ?? '';
    table.work(socket, address);
    response.once('close', () => table.wait(socket, address));
  });
  return { isReserve: (socket) => reserve.has(socket) };
}
