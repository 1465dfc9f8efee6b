/** A process of the service as a service manager runs it: one that has ended is started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../..');
export const MAIN = join(ROOT, 'packages/cli/src/main.ts');
const RESTART_MS = 1_000;
const MAX_STOP_MS = 30_000;

export class ManagedProcess {
  /** Starts so far. */
  starts = 0;
  readonly name: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #onPort: (port: number | undefined) => void;
  #child: ChildProcess | undefined;
  #isReady = false;
  #isOver = false;
  /** Its last output, to find the reason of a failure. */
  #output = '';

  /** @param onPort called with its port each time it is ready, and with nothing when it has ended */
  constructor(
    name: string,
    variables: Readonly<Record<string, string>>,
    onPort: (port: number | undefined) => void = () => {},
  ) {
    this.name = name;
    this.#variables = variables;
    this.#onPort = onPort;
  }

  get output(): string {
    return `${this.name}: ${this.#output.slice(-4_000)}`;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      const child = this.#start();
      this.#child = child;
      await once(child, 'exit');
      this.#isReady = false;
      this.#onPort(undefined);
      if (!this.#isOver) await sleep(RESTART_MS);
    }
  }

  #start(): ChildProcess {
    this.starts++;
    const inherited = Object.entries(process.env).filter(([name]) => !/^(CLEW_|npm_)/.test(name));
    const child = spawn(process.execPath, [MAIN, 'serve'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...Object.fromEntries(inherited), NODE_OPTIONS: '', ...this.#variables },
    });
    let begin = '';
    const note = (text: Buffer): void => {
      this.#output = `${this.#output}${text}`.slice(-20_000);
      if (this.#isReady) return;
      begin = `${begin}${text}`.slice(-20_000);
      const port = /ready at http:\/\/\S+:(\d+)/.exec(begin)?.[1];
      if (port === undefined) return;
      this.#isReady = true;
      this.#onPort(Number(port));
    };
    child.stdout?.on('data', note);
    child.stderr?.on('data', note);
    return child;
  }

  /** @returns whether it was running */
  kill(signal: NodeJS.Signals): boolean {
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return false;
    return child.kill(signal);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return;
    child.kill('SIGTERM');
    await Promise.race([once(child, 'exit'), sleep(MAX_STOP_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
