/**
 * The servers of one database, only one of which accepts writes; a failover changes which one. As with libpq, an address may name several
 * (`postgres://user:password@one,two:5433/database`).
 */
import { getOrMake } from '@clew/graph';
import pg from 'pg';

export interface ServerAddress {
  /** A host name or address; a path is the directory of a socket. */
  readonly host: string;
  readonly port: number;
}

/** How to connect to the database; plain data, which can be sent to a thread. */
export interface ConnectionConfig extends pg.ClientConfig {
  /** Set if there are several; connections go to the one that accepts writes. */
  readonly servers?: readonly ServerAddress[];
  /** Whether the connection may be to a standby, because it only reads. */
  readonly mayBeStandby?: boolean;
  /** Maximum wait of a statement for a lock; unlimited by default. */
  readonly lockTimeoutMs?: number;
}

/** No server accepts writes now. Like 57P03 of PostgreSQL: the same work succeeds later. */
export class NoPrimaryError extends Error {
  override readonly name = 'NoPrimaryError';
  readonly code = '57P03';
}

const PROBE_MS = 3000;
const DEFAULT_PORT = 5432;
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/s;

/** Extracts the servers from an address that names several. The driver supports only one. */
export function splitServers(databaseUrl: string): {
  readonly connectionString: string;
  readonly servers?: readonly ServerAddress[];
} {
  const [, head, authority = '', tail] = ADDRESS.exec(databaseUrl) ?? [];
  if (!authority.includes(',')) return { connectionString: databaseUrl };
  const servers = authority.split(',').map((server) => {
    const [, host, port] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(server) ?? [];
    if (!host) throw new Error(`contains an invalid server: ${JSON.stringify(server)}`);
    return {
      host: decodeURIComponent(host.replace(/^\[|\]$/g, '')),
      port: port === undefined ? DEFAULT_PORT : Number(port),
    };
  });
  return { connectionString: `${head}${authority.split(',')[0]}${tail}`, servers };
}

/** Remembers which server accepted writes last, for all connections of this thread. */
export class Servers {
  readonly #config: ConnectionConfig;
  readonly #all: readonly ServerAddress[];
  #primary: Promise<ServerAddress> | undefined;

  constructor(config: ConnectionConfig, all: readonly ServerAddress[]) {
    this.#config = config;
    this.#all = all;
  }

  /** @throws NoPrimaryError if none accepts writes */
  primary(): Promise<ServerAddress> {
    if (this.#primary === undefined) {
      const found = this.#find();
      this.#primary = found;
      found.catch(() => this.forget(found));
    }
    return this.#primary;
  }

  /** Makes the next connection look for the primary again. */
  forget(found = this.#primary): void {
    if (this.#primary === found) this.#primary = undefined;
  }

  /** Asks all servers at once: an unreachable one may take long to fail. */
  async #find(): Promise<ServerAddress> {
    try {
      return await Promise.any(this.#all.map((server) => this.#probe(server)));
    } catch (error) {
      const reasons = (error as AggregateError).errors.map(({ message }: Error) => message);
      throw new NoPrimaryError(`none of its servers accepts writes: ${reasons.join('; ')}`);
    }
  }

  async #probe(server: ServerAddress): Promise<ServerAddress> {
    const client = new pg.Client({ ...this.#config, connectionTimeoutMillis: PROBE_MS });
    client.on('error', () => {});
    moveTo(client, server);
    const name = `${server.host}:${server.port}`;
    try {
      await client.connect();
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
      if (rows[0].standby) throw new Error('is a standby');
      return server;
    } catch (error) {
      throw new Error(`${name} ${(error as Error).message || (error as { code?: string }).code}`);
    } finally {
      void client.end().catch(() => {});
    }
  }
}

/** The driver reads both when it connects. */
export function moveTo(client: pg.Client, { host, port }: ServerAddress): void {
  Object.assign(client, { host, port });
}

const known = new Map<string, Servers>();

/** @returns `undefined` if there is only one server, or the connection may be to a standby */
export function serversOf(config: ConnectionConfig | undefined): Servers | undefined {
  if (config?.servers === undefined || config.mayBeStandby) return undefined;
  const { servers } = config;
  const key = JSON.stringify([servers, config.connectionString]);
  return getOrMake(known, key, () => new Servers(config, servers));
}
