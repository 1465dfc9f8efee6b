/** The service calls of a collector (`docs/reference/collectors.md`), independent of the directory. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ClientJob, CollectorClient, EndJobRequest, NewDirectoryReading } from '@clew/api';
import { ApiError, bytesBody, type ClewClient } from '@clew/client';
import { batchesOf } from './batches.ts';
import type { LogLine } from './runLog.ts';

const compress = promisify(gzip);

/** Maximum length of a line that the service accepts. */
const MAX_LINE = 65_536;

export class CollectorService {
  readonly #client: ClewClient;

  constructor(client: ClewClient) {
    this.#client = client;
  }

  /** @throws ApiError 401 for an invalid token, 404 for a user's token */
  async register(about: { readonly user: string; readonly host: string; readonly version: string }) {
    const { user: username, host: hostname, version } = about;
    const body = { address: '', username, hostname, version, usersid: '' };
    return (await this.#client.call('UpdateClientInfo', { body })).data as CollectorClient;
  }

  /** The job that has waited longest. */
  async waitingJob(signal: AbortSignal): Promise<ClientJob | undefined> {
    const { data } = await this.#client.call('ListAvailableClientJobs', {}, { signal });
    return data[0];
  }

  async start(job: ClientJob): Promise<ClientJob> {
    return (await this.#client.call('StartClientJob', { body: { id: job.id } })).data;
  }

  /** @returns whether the job still exists: a user may have canceled it */
  async isWanted(job: number): Promise<boolean> {
    try {
      return (await this.#client.call('GetClientCurrentJob')).data.id === job;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    }
  }

  /** Sends a file in batches. Each may be repeated, because the service stores equal content once. @returns the number of batches */
  async send(path: string, signal: AbortSignal): Promise<number> {
    let count = 0;
    for await (const batch of batchesOf(path)) {
      const bytes = new Uint8Array(await compress(batch));
      await this.#client.transport.send(
        {
          ...{ method: 'POST', target: '/api/v2/ingest', headers: { 'content-encoding': 'gzip' } },
          ...{ body: bytesBody(bytes), idempotent: true, signal },
        },
        (answer) => answer.text(),
      );
      count += 1;
    }
    return count;
  }

  /** Writes lines to the log of the current job, without empty ones. @throws ApiError 404 without a job */
  async addLines(lines: readonly LogLine[]): Promise<void> {
    const said = lines.filter(({ text }) => text !== '');
    if (said.length === 0) return;
    await this.#client.call('AddClientJobLog', {
      body: { lines: said.map(({ at, text }) => ({ at, text: text.slice(0, MAX_LINE) })) },
    });
  }

  /** Records how an uploaded directory was read. */
  async recordReading(environmentId: string, body: NewDirectoryReading): Promise<void> {
    await this.#client.call('RecordDirectoryReading', { params: { environment_id: environmentId }, body });
  }

  /** @returns the ended job, which a user may have canceled before */
  async end(request: EndJobRequest): Promise<ClientJob> {
    return (await this.#client.call('EndClientJob', { body: request })).data;
  }
}
