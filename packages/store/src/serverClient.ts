/** A connection to the primary server, with the settings of every session. */
import pg from 'pg';
import { type ConnectionConfig, moveTo, NoPrimaryError, type Servers, serversOf } from './servers.ts';
import { observed } from './statementObserver.ts';
import { typeParsers } from './typeParsers.ts';

/** Every session uses UTC, so that times are always formatted the same. Set by a statement, because poolers refuse `options`. */
const BEGIN_SESSION = `select pg_backend_pid() as pid, pg_is_in_recovery() as standby,
  set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO', false),
  set_config('lock_timeout', coalesce($1, current_setting('lock_timeout')), false)`;

export class ServerClient extends pg.Client {
  readonly #servers: Servers | undefined;
  readonly #mayBeStandby: boolean;
  readonly #lockTimeoutMs: number | undefined;
  /** Id of the server process of the connection: a pooler reports a different one. */
  backendPid: number | undefined;

  constructor(config?: ConnectionConfig) {
    // A pool makes the password in its configuration non-enumerable.
    super(Object.defineProperties({ types: typeParsers }, Object.getOwnPropertyDescriptors(config ?? {})));
    // Not a method: the parent has an overload for each form of a statement.
    Object.defineProperty(this, 'query', {
      writable: true,
      value: (...parameters: unknown[]) =>
        observed(parameters, (given) => Reflect.apply(super.query, this, given)),
    });
    this.#servers = serversOf(config);
    this.#mayBeStandby = config?.mayBeStandby ?? false;
    this.#lockTimeoutMs = config?.lockTimeoutMs;
  }

  /** Whether a pooler is in front of the server. */
  get isPooled(): boolean {
    return (this as unknown as { readonly processID: number | null }).processID !== this.backendPid;
  }

  /** @throws NoPrimaryError if the server is a standby, and none of the others accepts writes */
  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const opened = this.#open();
    if (callback === undefined) return opened.then(() => this);
    opened.then(() => (callback as () => void)(), callback);
    return undefined;
  }

  async #open(): Promise<void> {
    const server = await this.#servers?.primary();
    if (server !== undefined) moveTo(this, server);
    // A connection that breaks now also fails the statement.
    const ignore = (): void => {};
    this.on('error', ignore);
    try {
      await super.connect();
      const { rows } = await super.query<{ pid: number; standby: boolean }>(BEGIN_SESSION, [
        this.#lockTimeoutMs === undefined ? null : String(this.#lockTimeoutMs),
      ]);
      if (rows[0].standby && !this.#mayBeStandby) throw new NoPrimaryError('it is a read-only standby');
      this.backendPid = rows[0].pid;
    } catch (error) {
      this.#servers?.forget();
      void super.end().catch(() => {});
      throw error;
    } finally {
      this.off('error', ignore);
    }
  }
}
