/** Opens the port of the service. */
import { type Config, ConfigError } from '@clew/common';
import type { HttpServer } from '@clew/server';

/** @returns its address @throws ConfigError if the port or address cannot be used */
export async function listen(server: HttpServer, { host, port }: Config): Promise<string> {
  try {
    return await server.listen(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigError([`CLEW_PORT ${port} of ${host} is taken by another program`]);
    if (code === 'EADDRNOTAVAIL')
      throw new ConfigError([`CLEW_HOST ${host} is not an address of this machine`]);
    if (code === 'EACCES')
      throw new ConfigError([`CLEW_PORT ${port} needs rights that this process does not have`]);
    throw error;
  }
}
