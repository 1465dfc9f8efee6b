/** A process of the service as a service manager runs it: one that has ended is started again. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, serve } from '../serving.ts';

export const MAIN = join(ROOT, 'packages/cli/src/main.ts');
const INSIDE = join(import.meta.dirname, 'insideProcess.mjs');
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
  /** Threads that died on command, by name. */
  readonly endedThreads = new Map<string, number>();
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
    const child = serve({
      ...{ args: ['--import', INSIDE, MAIN, 'serve'], variables: this.#variables, hasChannel: true },
      onOutput: (text) => {
        this.#output = `${this.#output}${text}`.slice(-20_000);
      },
      onReady: (url) => {
        this.#isReady = true;
        this.#onPort(Number(new URL(url).port));
      },
    });
    child.on('message', (message) => {
      const { ended } = message as { readonly ended: string };
      this.endedThreads.set(ended, (this.endedThreads.get(ended) ?? 0) + 1);
    });
    return child;
  }

  /** Sets its clock so many milliseconds apart from that of the machine, or ends a thread of that name. @returns whether it was running */
  command(command: { readonly clockMs: number } | { readonly thread: string }): boolean {
    const child = this.#child;
    if (child === undefined || hasEnded(child) || !child.connected) return false;
    return child.send(command, () => {});
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
