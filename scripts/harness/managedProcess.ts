/** Runs a process of the service like a service manager: restarts it when it has ended. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from './serving.ts';

/** Enough for a busy machine; normally, it takes a few seconds. */
export const MAX_READY_MS = 240_000;
const RESTART_MS = 1_000;
const MAX_STOP_MS = 30_000;

interface Managed {
  readonly name: string;
  /** Arguments of Node.js. */
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Accepts commands (`command`). */
  readonly hasChannel?: boolean;
  /** Called with its address each time it is ready, and with `undefined` when it has ended. */
  readonly onUrl?: (url: string | undefined) => void;
}

export class ManagedProcess {
  /** Number of starts so far. */
  starts = 0;
  readonly name: string;
  readonly #managed: Managed;
  #child: ChildProcess | undefined;
  #isReady = false;
  #isOver = false;
  /** Number of threads that died on command, by name. */
  readonly endedThreads = new Map<string, number>();
  /** Its last output, to explain a failure. */
  #output = '';

  constructor(managed: Managed) {
    this.name = managed.name;
    this.#managed = managed;
  }

  get output(): string {
    return `${this.name}: ${this.#output.slice(-4_000)}`;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Id of the most recently started process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      const child = this.#start();
      this.#child = child;
      await once(child, 'exit');
      this.#isReady = false;
      this.#managed.onUrl?.(undefined);
      if (!this.#isOver) await sleep(RESTART_MS);
    }
  }

  #start(): ChildProcess {
    this.starts++;
    const child = serve({
      ...this.#managed,
      onOutput: (text) => {
        this.#output = `${this.#output}${text}`.slice(-20_000);
      },
      onReady: (url) => {
        this.#isReady = true;
        this.#managed.onUrl?.(url);
      },
    });
    child.on('message', (message) => {
      const { ended } = message as { readonly ended: string };
      this.endedThreads.set(ended, (this.endedThreads.get(ended) ?? 0) + 1);
    });
    return child;
  }

  /** Sets the offset of its clock from that of the machine, or ends a thread with that name. @returns whether it was running */
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

  /** @returns whether it was running */
  async stop(): Promise<boolean> {
    this.#isOver = true;
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return false;
    child.kill('SIGTERM');
    await Promise.race([once(child, 'exit'), sleep(MAX_STOP_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
    return true;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
