/**
 * The embedded database: a real PostgreSQL as a child process, with its cluster in the data directory.
 *
 *   start:  lock the directory -> stop leftovers -> initialize (first time) -> spawn -> ready
 *           a failed start is undone: the process has ended and the lock is free before the error is thrown
 *   ready:  the process ends unexpectedly -> stop leftovers -> spawn again, until it is ready (clients reconnect)
 *   stop:   fast shutdown -> release the lock
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg, { type ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { findBinaries, type PostgresBinaries } from './binaries.ts';
import {
  clusterArgument,
  DATABASE_USER,
  EmbeddedPostgresError,
  makeCluster,
  OutputTail,
  readOrMakePassword,
  type SocketDirectory,
  socketDirectory,
} from './cluster.ts';
import { type DirectoryLock, lockDirectory } from './directoryLock.ts';
import { SOCKET_FILE, stopLeftovers } from './leftovers.ts';
import { databaseProcessOwner, type ProcessOwner } from './processOwner.ts';
import { type EmbeddedTuning, serverArguments } from './settings.ts';

const DATABASE = 'clew';
const CLUSTER = 'postgres';
/** Root installs the programs where the database user can access them. */
const SHARED_DIRECTORY = '/var/lib/clew';
const READY_POLL_MS = 10;
/** Recovery after a crash replays at most `max_wal_size`. */
const READY_TIMEOUT_MS = 300_000;
/** If a fast shutdown has not ended the process, an immediate one does: the next start recovers committed data. */
const STOP_TIMEOUT_MS = 5_000;
/** Maximum time for which the exit of this process waits for that of the database. */
const EXIT_WAIT_MS = 1_000;
const EXIT_POLL_MS = 10;
const RESTART_PAUSE_MS = [0, 100, 500, 1000, 2000, 5000];

export type EmbeddedLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export interface EmbeddedOptions {
  /** The data directory of Clew, which contains the directory of the cluster. */
  readonly directory: string;
  readonly log: EmbeddedLog;
  readonly tuning?: EmbeddedTuning;
  /** Called after the directory is locked, before anything else is done; an error ends the start. */
  readonly prepare?: () => Promise<void>;
}

export class EmbeddedPostgres {
  readonly #log: EmbeddedLog;
  readonly #tuning: EmbeddedTuning;
  readonly #cluster: string;
  readonly #lock: DirectoryLock;
  readonly #owner: ProcessOwner;
  readonly #binaries: PostgresBinaries;
  readonly #password: string;
  readonly #socket: SocketDirectory;
  readonly #killOnExit = (): void => {
    const child = this.#child;
    if (child === undefined) return;
    child.kill(this.#stopping ? 'SIGQUIT' : 'SIGINT');
    if (child.pid !== undefined) waitForEnd(child.pid);
  };
  #child: ChildProcess | undefined;
  #stopping = false;
  #supervision: Promise<void> | undefined;

  private constructor(
    options: EmbeddedOptions,
    parts: {
      lock: DirectoryLock;
      owner: ProcessOwner;
      binaries: PostgresBinaries;
      password: string;
      cluster: string;
      socket: SocketDirectory;
    },
  ) {
    this.#log = options.log;
    this.#tuning = options.tuning ?? { durable: true };
    this.#lock = parts.lock;
    this.#owner = parts.owner;
    this.#binaries = parts.binaries;
    this.#password = parts.password;
    this.#cluster = parts.cluster;
    this.#socket = parts.socket;
  }

  /**
   * @throws DirectoryInUseError if another Clew uses the directory
   * @throws EmbeddedPostgresError if the database cannot be created or started
   */
  static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const lock = await lockDirectory(options.directory);
    try {
      await options.prepare?.();
      const owner = databaseProcessOwner();
      const binaries = findBinaries(owner, owner.uid === undefined ? options.directory : SHARED_DIRECTORY);
      const cluster = join(options.directory, CLUSTER);
      const password = await readOrMakePassword(options.directory, cluster);
      const stopped = await stopLeftovers(cluster);
      if (stopped > 0)
        options.log.warn({ processes: stopped }, 'stopped the database of a Clew that was killed');
      const durable = options.tuning?.durable ?? true;
      const made = await makeCluster({ directory: cluster, binaries, owner, password, durable });
      if (made) options.log.info({ directory: cluster }, 'created a new database');
      const socket = await socketDirectory(cluster, owner);
      const server = new EmbeddedPostgres(options, { lock, owner, binaries, password, cluster, socket });
      await server.#begin();
      return server;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Connection parameters, which stay valid when the database process restarts. Broken connections have to be reopened. */
  get connection(): ClientConfig & { host: string; user: string; password: string; database: string } {
    return {
      ...connectionOf(this.#socket.forClients),
      password: this.#password,
    };
  }

  /** Process id of the postmaster; `undefined` during a restart. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async stop(): Promise<void> {
    await this.#end();
    await this.#lock.release();
  }

  async #begin(): Promise<void> {
    process.on('exit', this.#killOnExit);
    try {
      await this.#spawn();
      await this.#makeDatabase();
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  /** The process has ended, and is not restarted. */
  async #end(): Promise<void> {
    this.#stopping = true;
    // A process that is being restarted would delay the end until it is ready.
    await this.#endChild();
    await this.#supervision;
    await this.#endChild();
    process.off('exit', this.#killOnExit);
    if (this.#socket.isTemporary) rmSync(this.#socket.forClients, { recursive: true, force: true });
  }

  async #endChild(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGINT');
    const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }

  /** Resolves when the server accepts connections. */
  async #spawn(): Promise<void> {
    const dataDirectory = clusterArgument(this.#cluster, this.#owner);
    const child = spawn(
      this.#binaries.postgres,
      serverArguments(dataDirectory, this.#socket.forServer, this.#tuning),
      // A separate process group: Ctrl-C in a terminal must not end the database while the service finishes its work.
      { ...this.#owner, cwd: this.#cluster, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const output = new OutputTail();
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.add(text);
      this.#log.debug({ component: 'postgres' }, text.trimEnd());
    });
    const ended = new Promise<never>((_, reject) => {
      child.once('error', reject);
      child.once('exit', () =>
        reject(new EmbeddedPostgresError(`the database did not start: ${output.text}`)),
      );
    });
    this.#child = child;
    child.once('error', () => {
      this.#child = undefined;
    });
    child.once('exit', (code, signal) => {
      this.#child = undefined;
      if (wasReady && !this.#stopping) this.#supervision ??= this.#restart(code, signal, output.text);
    });
    let wasReady = false;
    await Promise.race([ended, this.#waitUntilReady(child)]);
    wasReady = true;
  }

  async #waitUntilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (child.exitCode === null && child.signalCode === null) {
      const lines = (await readFile(join(this.#cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split(
        '\n',
      );
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return;
      if (Date.now() > deadline) throw new EmbeddedPostgresError('the database did not become ready');
      await delay(READY_POLL_MS);
    }
  }

  async #restart(code: number | null, signal: string | null, output: string): Promise<void> {
    this.#log.error({ code, signal, output }, 'the database process ended unexpectedly; restarting it');
    for (let attempt = 0; !this.#stopping; attempt++) {
      await delay(RESTART_PAUSE_MS[Math.min(attempt, RESTART_PAUSE_MS.length - 1)]);
      try {
        await stopLeftovers(this.#cluster, { keepSocketDirectory: true });
        if (this.#stopping) break;
        await this.#spawn();
        this.#log.info({ attempts: attempt + 1 }, 'the database is back');
        break;
      } catch (error) {
        if (this.#stopping) break;
        this.#log.error({ err: error }, 'the database could not be restarted; retrying');
      }
    }
    this.#supervision = undefined;
  }

  async #makeDatabase(): Promise<void> {
    const client = new pg.Client({ ...this.connection, database: 'postgres' });
    await client.connect();
    try {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    } finally {
      await client.end();
    }
  }
}

/**
 * Blocks until a child has ended, for at most EXIT_WAIT_MS: for the exit of the process, which no longer reaps children. So a program that
 * waits for the process finds complete files of the database. Does nothing if the system does not show processes.
 */
function waitForEnd(pid: number): void {
  const turn = new Int32Array(new SharedArrayBuffer(4));
  const deadline = Date.now() + EXIT_WAIT_MS;
  while (Date.now() < deadline) {
    try {
      // `12 (postgres) Z ...`: a process that has ended, but was not reaped.
      if (/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return;
    } catch {
      return;
    }
    Atomics.wait(turn, 0, 0, EXIT_POLL_MS);
  }
}

function connectionOf(host: string) {
  return { host, port: 5432, user: DATABASE_USER, database: DATABASE };
}

/**
 * @returns connection parameters for the database of a data directory that a running Clew uses, for administration from outside
 * @throws EmbeddedPostgresError if no Clew is running, or its database cannot be reached from outside
 */
export async function connectionToRunning(directory: string): Promise<ClientConfig> {
  const cluster = join(directory, CLUSTER);
  const socket = join(cluster, SOCKET_FILE);
  if (!(await stat(socket).then(Boolean, () => false)))
    throw new EmbeddedPostgresError(
      `the database of ${directory} is not running, or cannot be reached from here`,
    );
  return { ...connectionOf(cluster), password: await readOrMakePassword(directory, cluster) };
}
