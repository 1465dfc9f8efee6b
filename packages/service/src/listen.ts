/** Opens the ports of the service. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, ConfigError } from '@clew/common';
import { type BoltOptions, type BoltServer, type HttpServer, startBolt } from '@clew/server';

/** @returns its address @throws ConfigError if the port or address cannot be used */
export const listen = (server: HttpServer, { host, port }: Config): Promise<string> =>
  named('CLEW_PORT', host, port, () => server.listen(host, port));

/** @throws ConfigError if the port or address cannot be used */
export const listenBolt = (options: BoltOptions): Promise<BoltServer> =>
  named('CLEW_BOLT_PORT', options.host, options.port, () => startBolt(options));

/**
 * Opens a port and closes it: the service opens it again when it can answer, which takes minutes for a large graph.
 * @throws ConfigError if the port or address cannot be used
 */
export async function testPort(setting: string, host: string, port: number): Promise<void> {
  const server = createServer();
  await named(setting, host, port, async () => {
    server.listen({ host, port });
    await once(server, 'listening');
  });
  server.close();
  await once(server, 'close');
}

async function named<T>(setting: string, host: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigError([`${setting} ${port} of ${host} is used by another program`]);
    if (code === 'EADDRNOTAVAIL')
      throw new ConfigError([`CLEW_HOST ${host} is not an address of this machine`]);
    if (code === 'EACCES')
      throw new ConfigError([`${setting} ${port} needs rights that this process does not have`]);
    throw error;
  }
}
