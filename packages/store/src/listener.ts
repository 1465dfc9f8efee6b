/** Listens to notifications of the database on a separate connection, and reconnects when it breaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedLog } from '@clew/embedded';
import { ServerClient } from './serverClient.ts';
import type { ConnectionConfig } from './servers.ts';

const RECONNECT_PAUSE_MS = 200;

export interface ListenerOptions {
  readonly connection: ConnectionConfig;
  readonly channels: readonly string[];
  /** Advisory lock that the session holds, shared, while it listens. */
  readonly lock?: number;
  readonly onNotification: (channel: string, payload: string) => void;
  /** Called after each connection: notifications may have been missed until then. */
  readonly onConnected: () => void;
  readonly log: EmbeddedLog;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #abort = new AbortController();
  #client: ServerClient | undefined;
  readonly #ended: Promise<void>;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#ended = this.#listen();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#client?.end().catch(() => {});
    await this.#ended;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.#listenOnce();
      } catch (error) {
        if (!signal.aborted)
          this.#options.log.debug({ err: error }, 'cannot listen to the database; retrying');
      }
      await sleep(RECONNECT_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Resolves when the connection ends. */
  async #listenOnce(): Promise<void> {
    const { connection, channels, lock, onNotification, onConnected } = this.#options;
    const client = new ServerClient(connection);
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('error', () => {});
    client.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''));
    await client.connect();
    this.#client = client;
    try {
      if (lock !== undefined) await client.query('select pg_advisory_lock_shared($1)', [lock]);
      for (const channel of channels) await client.query(`listen ${channel}`);
      if (this.#abort.signal.aborted) return;
      onConnected();
      await ended;
    } finally {
      await client.end().catch(() => {});
    }
  }
}
