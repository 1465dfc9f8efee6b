/**
 * Tracks the statements of one request, so that they end when the client disconnects: a statement that no client waits for would run to its
 * end, and hold its connection.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { ServerClient } from './serverClient.ts';
import type { ConnectionConfig } from './servers.ts';

/** A cancellation that comes before its statement does nothing, so it is sent until the connection is given back. */
const CANCEL_AGAIN_MS = 200;

interface Held {
  /** Id of the server process that serves the connection. */
  readonly processId: number;
  readonly cancel: (processId: number) => void;
  canceling?: NodeJS.Timeout;
  /** No other request may use it: a late cancellation would hit that one. */
  isSpoilt: boolean;
}

const current = new AsyncLocalStorage<RequestWork>();

export class RequestWork {
  readonly #held = new Set<Held>();
  #isAbandoned = false;

  /** Runs a part of the request: connections that it takes from pools belong to it. */
  run<T>(part: () => T): T {
    return current.run(this, part);
  }

  /** Runs work that several requests share: it does not end with any of them. */
  static outside<T>(part: () => T): T {
    return current.exit(part);
  }

  /** No client waits any more: running statements are canceled, and later ones fail. */
  abandon(): void {
    this.#isAbandoned = true;
    for (const held of this.#held) end(held);
  }

  hold(held: Held): void {
    this.#held.add(held);
    if (this.#isAbandoned) end(held);
  }

  release(held: Held): void {
    this.#held.delete(held);
    clearInterval(held.canceling);
  }
}

function end(held: Held): void {
  if (held.isSpoilt) return;
  held.isSpoilt = true;
  held.cancel(held.processId);
  held.canceling = setInterval(() => held.cancel(held.processId), CANCEL_AGAIN_MS);
  held.canceling.unref();
}

type Release = pg.PoolClient['release'];
type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** A pool whose connections know the request that uses them. */
export class RequestPool extends pg.Pool {
  readonly #cancel: (processId: number) => void;

  /** @param cancel asks the server to cancel the statement of one of its processes; never throws */
  constructor(config: pg.PoolConfig & ConnectionConfig, cancel: (processId: number) => void) {
    super(config);
    this.#cancel = cancel;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    // Read here: the callback may run in the context of the request that gave the connection back.
    const work = current.getStore();
    if (callback === undefined) return super.connect().then((client) => this.#assign(client, work));
    super.connect((error, client, done) => {
      if (client === undefined) return callback(error, client, done);
      this.#assign(client, work);
      return callback(error, client, client.release);
    });
    return undefined;
  }

  #assign(client: pg.PoolClient, work: RequestWork | undefined): pg.PoolClient {
    const { backendPid } = client as unknown as ServerClient;
    if (work === undefined || backendPid === undefined) return client;
    const held: Held = { processId: backendPid, cancel: this.#cancel, isSpoilt: false };
    const release: Release = client.release.bind(client);
    client.release = (error) => {
      work.release(held);
      release(error ?? held.isSpoilt);
    };
    work.hold(held);
    return client;
  }
}
