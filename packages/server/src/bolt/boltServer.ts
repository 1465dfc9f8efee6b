/** The listener of Bolt, the protocol of graph databases. Rule: `docs/bolt.md`. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { clientAddress, isProxyNetwork, SHOWN_DATABASE } from '@clew/common';
import { ADDRESS_SHARE, ConnectionTable } from '../http/connectionTable.ts';
import type { BoltOptions } from './boltOptions.ts';
import { BoltConnection, CONNECTION_TIMES } from './connection.ts';
import { OPEN_ROW_LIMITS, OpenRows } from './openRows.ts';
import { createOpenUser } from './openUser.ts';
import { UserConnections } from './userConnections.ts';

/** Drivers refuse a product of another name. */
const AGENT = `Neo4j/${SHOWN_DATABASE.version}`;

export interface BoltServer {
  /** Its address, `bolt://host:port`. */
  readonly url: string;
  /** Accepts no new connections, lets running queries finish, then closes the remaining connections. */
  close(graceMilliseconds: number): Promise<void>;
}

/** @throws errors of opening the port */
export async function startBolt(options: BoltOptions): Promise<BoltServer> {
  const { host, connections, trustedProxies, metrics, log } = options;
  const share = Math.ceil(connections * ADDRESS_SHARE);
  const table = new ConnectionTable({
    total: connections,
    address: share,
    // A number of proxies says nothing about this port, which clients may reach without them.
    isProxy: (address) => isProxyNetwork(address, trustedProxies),
  });
  const shared = {
    rows: new OpenRows(options.openRows ?? OPEN_ROW_LIMITS),
    users: new UserConnections(share),
  };
  const open = new Map<Socket, BoltConnection>();
  const server = createServer((socket) => {
    const peer = socket.remoteAddress ?? '';
    const address = clientAddress({ address: peer, headers: {} }, trustedProxies);
    const noRoom = table.makeRoom(socket);
    if (noRoom !== undefined) {
      metrics.bolt.observeRefusal(noRoom);
      socket.destroy();
      return;
    }
    table.add(socket);
    metrics.bolt.countConnections(table.total);
    const held = {
      get isWaiting() {
        return connection.isWaiting;
      },
      end: () => socket.destroy(),
    };
    const connection = new BoltConnection(socket, {
      agent: `${AGENT}-clew-${options.version}`,
      openUser: createOpenUser(options, shared, held, address),
      times: options.times ?? CONNECTION_TIMES,
      report: (error) => log.error({ err: error }, 'a connection failed'),
      onWork: (isBusy) => (isBusy ? table.work(socket, peer) : table.wait(socket, peer)),
    });
    open.set(socket, connection);
    socket.once('close', () => {
      open.delete(socket);
      metrics.bolt.countConnections(table.total);
    });
  });
  server.listen(options.port, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `bolt://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async close(grace) {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of open.values()) connection.close();
      const cut = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy();
      }, grace);
      await closed;
      clearTimeout(cut);
    },
  };
}
