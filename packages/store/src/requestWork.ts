/**
 * Tracks the statements of a request, and cancels them when the client disconnects: otherwise they would run to the end and keep their
 * connections.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { ServerClient } from './serverClient.ts';
import type { ConnectionConfig } from './servers.ts';

/** A cancellation before its statement starts has no effect, so it is repeated until the connection is released. */
const CANCEL_AGAIN_MS = 200;

interface Held {
  /** Id of the server process that serves the connection. */
  readonly processId: number;
  readonly cancel: (processId: number) => void;
  canceling?: NodeJS.Timeout;
  /** No other request may use the connection: a late cancellation would hit that request. */
  isSpoilt: boolean;
}

const current = new AsyncLocalStorage<RequestWork>();

export class RequestWork {
  readonly #held = new Set<Held>();
  #isAbandoned = false;

  /** Runs a part of the request, which owns the connections taken from pools. */
  run<T>(part: () => T): T {
    return current.run(this, part);
  }

  /** Runs work that several requests share and that ends with none of them. */
  static outside<T>(part: () => T): T {
    return current.exit(part);
  }

  /** Called when no client waits: cancels running statements, and later ones fail. */
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

/** A pool that assigns each connection to the request that uses it. */
export class RequestPool extends pg.Pool {
  readonly #cancel: (processId: number) => void;

  /** @param cancel asks the server to cancel the statement of a process; never throws */
  constructor(config: pg.PoolConfig & ConnectionConfig, cancel: (processId: number) => void) {
    super(config);
    this.#cancel = cancel;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    // Read here, because the callback may run in the context of the request that released the connection.
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
