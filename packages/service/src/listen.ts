/** Opens the ports of the service. */
import { type Config, ConfigError } from '@clew/common';
import { type BoltOptions, type BoltServer, type HttpServer, startBolt } from '@clew/server';

/** @returns its address @throws ConfigError if the port or address cannot be used */
export const listen = (server: HttpServer, { host, port }: Config): Promise<string> =>
  named('CLEW_PORT', host, port, () => server.listen(host, port));

/** @throws ConfigError if the port or address cannot be used */
export const listenBolt = (options: BoltOptions): Promise<BoltServer> =>
  named('CLEW_BOLT_PORT', options.host, options.port, () => startBolt(options));

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
