/** The calls of a collector to the service (`docs/reference/collectors.md`). They know no directory. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ClientJob, CollectorClient, EndJobRequest, NewDirectoryReading } from '@clew/api';
import { ApiError, bytesBody, type ClewClient } from '@clew/client';
import { batchesOf } from './batches.ts';
import type { LogLine } from './runLog.ts';

const compress = promisify(gzip);

/** Characters of a line that the service takes. */
const MAX_LINE = 65_536;

export class CollectorService {
  readonly #client: ClewClient;

  constructor(client: ClewClient) {
    this.#client = client;
  }

  /** @throws ApiError 401 for a token that counts no longer, 404 for one that is a user's */
  async register(about: { readonly user: string; readonly host: string; readonly version: string }) {
    const { user: username, host: hostname, version } = about;
    const body = { address: '', username, hostname, version, usersid: '' };
    return (await this.#client.call('UpdateClientInfo', { body })).data as CollectorClient;
  }

  /** The job that waits longest. */
  async waitingJob(signal: AbortSignal): Promise<ClientJob | undefined> {
    const { data } = await this.#client.call('ListAvailableClientJobs', {}, { signal });
    return data[0];
  }

  async start(job: ClientJob): Promise<ClientJob> {
    return (await this.#client.call('StartClientJob', { body: { id: job.id } })).data;
  }

  /** @returns whether the service still wants the job: a user may have canceled it */
  async isWanted(job: number): Promise<boolean> {
    try {
      return (await this.#client.call('GetClientCurrentJob')).data.id === job;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    }
  }

  /** Sends a file in batches. Each of them may be sent again: the service keeps a content once. @returns batches */
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

  /** Writes lines of the log of the current job; empty ones say nothing. @throws ApiError 404 without one */
  async addLines(lines: readonly LogLine[]): Promise<void> {
    const said = lines.filter(({ text }) => text !== '');
    if (said.length === 0) return;
    await this.#client.call('AddClientJobLog', {
      body: { lines: said.map(({ at, text }) => ({ at, text: text.slice(0, MAX_LINE) })) },
    });
  }

  /** Says how a directory was read that was handed over. */
  async recordReading(environmentId: string, body: NewDirectoryReading): Promise<void> {
    await this.#client.call('RecordDirectoryReading', { params: { environment_id: environmentId }, body });
  }

  /** @returns the job as it is then: a user may have canceled it before */
  async end(request: EndJobRequest): Promise<ClientJob> {
    return (await this.#client.call('EndClientJob', { body: request })).data;
  }
}
