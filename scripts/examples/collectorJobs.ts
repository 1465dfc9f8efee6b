/** A collector for the examples, which calls its operations itself, each for a job with the required status. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RouteContract } from '@clew/api';
import { type CollectorToken, SimulatedCollector } from '@clew/service/testing';

export interface CollectorAnswer {
  readonly status: number;
  readonly json?: unknown;
}

/** Operations that need a waiting job, and those that need a running one. */
const NEEDS_WAITING =
  /^(?:StartClient|CancelClient|GetClient(?:Job|Task)(?:Log)?$|ListAvailableClient|GetClient(?:Jobs|Tasks)$)/;
const NEEDS_RUNNING =
  /^(?:AddClientJobLog|EndClient|GetClientCurrent|LogClientError|UpdateClientInfo|IngestData|GetClient$|ListClients)/;

const BATCH = {
  meta: { type: 'azure', version: 0, count: 0 },
  data: [{ kind: 'AZUser', data: { id: '00000000-0000-0000-0000-000000000001', displayName: 'Ada Abel' } }],
};

export class ExampleCollector {
  readonly #url: string;
  readonly #newJob: () => Promise<number>;
  #collector: SimulatedCollector | undefined;
  /** The most recently created job. */
  job = 0;

  /** @param newJob requests a job of the client, as a user */
  constructor(url: string, newJob: () => Promise<number>) {
    this.#url = url;
    this.#newJob = newJob;
  }

  /** Call this whenever the client has a new token. */
  async takeToken(token: CollectorToken): Promise<void> {
    this.#collector = new SimulatedCollector(this.#url, token);
    await this.#collector.start();
  }

  async prepare({ operationId }: RouteContract): Promise<void> {
    const isRunning = NEEDS_RUNNING.test(operationId);
    if (this.#collector === undefined || (!isRunning && !NEEDS_WAITING.test(operationId))) return;
    this.job = await this.#newJob();
    if (isRunning) await this.#collector.send('POST', '/jobs/start', { id: this.job });
  }

  /** @param path with filled-in parameters */
  async call({ method, bodyKind }: RouteContract, path: string, body: unknown): Promise<CollectorAnswer> {
    if (this.#collector === undefined) throw new Error('no collector exists yet');
    return bodyKind === 'stream'
      ? this.#collector.sendBatch(gzipSync(JSON.stringify(BATCH)))
      : this.#collector.send(method, path.replace('/api/v2', ''), body as object | undefined);
  }
}

/** Places releases in the data directory, as an administrator would. */
export async function placeReleases(dataDirectory: string): Promise<void> {
  const directory = join(dataDirectory, 'collectors');
  await mkdir(directory, { recursive: true });
  for (const name of ['sharphound-v2.6.0', 'azurehound-v2.2.1-linux-amd64', 'sharphound-enterprise-v2.6.0'])
    await writeFile(join(directory, `${name}.zip`), name);
}
