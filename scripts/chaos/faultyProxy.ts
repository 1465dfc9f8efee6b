/** A proxy between the clients and the service, whose address changes with each start; it breaks connections. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultyProxy {
  readonly url: string;
  /** Ports of the running processes by name; connections use them in turn. */
  readonly targets: Map<string, number>;
  /** `stalled`: bytes are accepted but not forwarded. */
  mode: 'open' | 'refusing' | 'stalled';
  /** Resets all connections. */
  cut(): void;
  close(): Promise<void>;
}

export async function startFaultyProxy(): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    const ports = [...proxy.targets.values()];
    const port = ports[connections++ % Math.max(1, ports.length)];
    if (proxy.mode === 'refusing' || port === undefined) return void client.resetAndDestroy();
    const service = keep(connect(port, '127.0.0.1'));
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (proxy.mode === 'stalled') return;
        if (!to.write(bytes)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      });
      from.once('end', () => to.end());
      from.once('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ targets: new Map<string, number>(), mode: 'open', cut },
    async close() {
      server.close();
      cut();
    },
  };
  return proxy;
}
