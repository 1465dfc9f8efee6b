/** Repeats a small request in a separate thread, and reports the longest answer time. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface ProbeData {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const PAUSE_MS = 1;

/** Answer times since the last report, in milliseconds. */
export interface ProbeReport {
  readonly requests: number;
  readonly median: number;
  readonly longest: number;
}

export class Probe {
  readonly #worker: Worker;

  readonly #failed: Promise<never>;

  constructor(data: ProbeData) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: data });
    this.#failed = new Promise((_, reject) => this.#worker.once('error', reject));
    this.#failed.catch(() => {});
  }

  /** @returns times since the last call */
  take(): Promise<ProbeReport> {
    const report = new Promise<ProbeReport>((resolve) => this.#worker.once('message', resolve));
    this.#worker.postMessage('take');
    return Promise.race([report, this.#failed]);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

if (!isMainThread && parentPort !== null) await probe(workerData);

async function probe({ url, headers }: ProbeData): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let times: number[] = [];
  parentPort?.on('message', () => {
    const sorted = times.toSorted((a, b) => a - b);
    parentPort?.postMessage({
      requests: sorted.length,
      median: sorted[sorted.length >> 1] ?? Number.NaN,
      longest: sorted.at(-1) ?? Number.NaN,
    } satisfies ProbeReport);
    times = [];
  });
  for (;;) {
    const began = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(url, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`the probe was answered ${answer.statusCode}`));
        answer.resume().once('end', resolve);
      }).once('error', reject);
    });
    times.push(performance.now() - began);
    await sleep(PAUSE_MS);
  }
}
