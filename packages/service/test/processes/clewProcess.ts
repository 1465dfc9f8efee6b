/** A service in a separate process, as an operator runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '@clew/embedded/testing';

const COMMAND = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));

const MAX_OUTPUT = 8000;

/** The required environment, and the directory of compiled code, which halves the start time. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}

export class ClewProcess {
  readonly url: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  /** Its latest output, including warnings. */
  #output = '';

  private constructor(port: number, env: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#env = { ...env, CLEW_PORT: String(port) };
  }

  /** @param env in addition to shared variables; the service answers when this resolves */
  static async start(env: Readonly<Record<string, string>>): Promise<ClewProcess> {
    const started = new ClewProcess(await freePort(), env);
    await started.start();
    return started;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [COMMAND, 'serve'], {
      env: { ...inherited(), CLEW_LOG_LEVEL: 'warn', ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT);
      });
    }
    const ready = once(createInterface({ input: child.stdout }), 'line');
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`did not start: ${this.#output}`)));
    ended.catch(() => {});
    await Promise.race([ready, ended]);
  }

  /** Whether it runs, and its latest output, for failing tests. */
  get report(): string {
    return `${this.url} ${this.#child?.exitCode === null ? 'runs' : 'has ended'}: ${this.#output}`;
  }

  /** @returns the exit status */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [status] = await ended;
    return status;
  }
}
