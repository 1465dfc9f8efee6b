/**
 * Sends client requests through a simulated load balancer to several services without pauses, and records the results. Like a balancer, it
 * uses services that report to be ready, and retries a request that could not be sent at another one.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_MS = 100;
const PATIENCE_MS = 15_000;

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
  readonly json: any;
}

export class Balancer {
  readonly #urls: readonly string[];
  #ready: readonly string[];
  #next = 0;
  readonly #stopped = new AbortController();
  readonly #checking: Promise<void>;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
    this.#ready = urls;
    this.#checking = this.#check();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#checking;
  }

  /** @throws Error if the connection broke, or no service can be reached */
  async send(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer> {
    const urls = this.#inTurn();
    for (const [attempt, url] of urls.entries()) {
      try {
        const answer = await fetch(`${url}/api/v2/${path}`, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          body: body === undefined ? undefined : JSON.stringify(body),
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        const text = await answer.text();
        return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : undefined };
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        // Nothing was sent, or a read request failed because a kept-alive connection was closed.
        const mayTryAnother = code === 'ECONNREFUSED' || (method === 'GET' && code === 'ECONNRESET');
        if (!mayTryAnother || attempt === urls.length - 1) throw error;
      }
    }
    throw new Error('no service is ready');
  }

  /** Ready services in rotating order, then the others, because a busy one may have reported late. */
  #inTurn(): readonly string[] {
    const ready = this.#ready;
    const first = this.#next++ % Math.max(ready.length, 1);
    const others = this.#urls.filter((url) => !ready.includes(url));
    return [...ready.slice(first), ...ready.slice(0, first), ...others];
  }

  async #check(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const states = await Promise.all(this.#urls.map((url) => isReady(url)));
      this.#ready = this.#urls.filter((_, index) => states[index]);
      await sleep(CHECK_MS, undefined, { signal }).catch(() => {});
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) });
    await answer.text();
    return answer.ok;
  } catch {
    return false;
  }
}

export interface Tally {
  readonly requests: number;
  /** Failures by status, or code of the broken connection. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds between the first and the last failure. */
  readonly disturbedMs: number;
}

/** Clients that send requests without pauses until stopped. */
export class Load {
  readonly #stopped = new AbortController();
  readonly #clients: Promise<void>[];
  #requests = 0;
  #failures: Record<string, number> = {};
  #failedAt: number[] = [];
  /** Wrong answers. */
  readonly wrong: unknown[] = [];

  /** @param ask sends a request; returns `undefined`, or the error in its answer; throws if it fails */
  constructor(clients: number, ask: (client: number) => Promise<unknown>) {
    this.#clients = Array.from({ length: clients }, (_, client) => this.#run(() => ask(client)));
  }

  /** Returns the results since the last call. */
  take(): Tally {
    const at = this.#failedAt;
    const tally = {
      requests: this.#requests,
      failures: this.#failures,
      disturbedMs: at.length === 0 ? 0 : Math.round(at[at.length - 1] - at[0]),
    };
    this.#requests = 0;
    this.#failures = {};
    this.#failedAt = [];
    return tally;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#clients);
  }

  async #run(ask: () => Promise<unknown>): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      this.#requests++;
      try {
        const wrong = await ask();
        if (wrong !== undefined) this.wrong.push(wrong);
      } catch (error) {
        const { message, cause } = error as Error;
        const reason = (cause as { code?: string } | undefined)?.code ?? message;
        this.#failures[reason] = (this.#failures[reason] ?? 0) + 1;
        this.#failedAt.push(performance.now());
        await sleep(20);
      }
    }
  }
}
