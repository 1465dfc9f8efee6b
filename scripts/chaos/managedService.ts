/** The service as a service manager runs it: one that has ended is started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, postmasterOf } from '../processes.ts';
import type { FaultyProxy } from './faultyProxy.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const MAIN = join(ROOT, 'packages/cli/src/main.ts');
const RESTART_MS = 1_000;
const MAX_STOP_MS = 30_000;

export class ManagedService {
  /** Starts so far. */
  starts = 0;
  readonly #data: string;
  readonly #proxy: FaultyProxy;
  readonly #password: string;
  #child: ChildProcess | undefined;
  #isOver = false;
  /** What it wrote last, for who looks for the reason. */
  #output = '';

  constructor(data: string, proxy: FaultyProxy, password: string) {
    this.#data = data;
    this.#proxy = proxy;
    this.#password = password;
  }

  get output(): string {
    return this.#output.slice(-4_000);
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      const child = this.#start();
      this.#child = child;
      await once(child, 'exit');
      this.#proxy.target = undefined;
      if (!this.#isOver) await sleep(RESTART_MS);
    }
  }

  #start(): ChildProcess {
    this.starts++;
    const inherited = Object.entries(process.env).filter(([name]) => !/^(CLEW_|npm_)/.test(name));
    const child = spawn(process.execPath, [MAIN, 'serve'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(inherited),
        ...{ NODE_OPTIONS: '', CLEW_DATA_DIR: this.#data, CLEW_PORT: '0', CLEW_LOG_LEVEL: 'error' },
        ...{ CLEW_ADMIN_PASSWORD: this.#password, CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' },
        CLEW_RATE_LIMIT: '0',
      },
    });
    let begin = '';
    const note = (text: Buffer): void => {
      this.#output = `${this.#output}${text}`.slice(-20_000);
      if (this.#proxy.target !== undefined && this.#child === child) return;
      begin = `${begin}${text}`.slice(-20_000);
      const port = /ready at http:\/\/\S+:(\d+)/.exec(begin)?.[1];
      if (port !== undefined) this.#proxy.target = Number(port);
    };
    child.stdout?.on('data', note);
    child.stderr?.on('data', note);
    return child;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Kills PostgreSQL, or one of its processes. @returns whether there was one */
  killDatabase(which: 'all' | 'one', random: () => number): boolean {
    try {
      const postmaster = postmasterOf(this.#data);
      const children = childrenOf(postmaster).map(([pid]) => pid);
      const pid = which === 'all' ? postmaster : children[Math.floor(random() * children.length)];
      if (pid === undefined) return false;
      process.kill(pid, 'SIGKILL');
      return true;
    } catch {
      return false;
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await Promise.race([once(child, 'exit'), sleep(MAX_STOP_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
  }
}
