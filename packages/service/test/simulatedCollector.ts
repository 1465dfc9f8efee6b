/**
 * A simulated collector that behaves like public ones (`docs/reference/collectors.md#calls-of-collectors`): signed requests, compressed
 * batches without a content type, each sent four times with the same bytes.
 */
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ClientJob, CollectorClient } from '@clew/api';

export interface CollectorToken {
  readonly id: string;
  readonly key: string;
}

/** Number of times the public Azure collector sends an acknowledged batch. */
const TIMES_SENT = 4;

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the service holds its answers to their contracts.
  readonly json: any;
}

export class SimulatedCollector {
  readonly #url: string;
  readonly #token: CollectorToken;

  constructor(url: string, token: CollectorToken) {
    this.#url = url;
    this.#token = token;
  }

  async start(version = 'v2.2.1'): Promise<CollectorClient> {
    const info = { address: '10.0.0.5', username: '', hostname: 'collector-1', version, usersid: '' };
    const { status, json } = await this.send('PUT', '/clients/update', info);
    if (status !== 200) throw new Error(`the collector exits: ${status}`);
    const { current_job } = json.data;
    if (current_job?.status === 1)
      await this.end('FAILED', 'This job has been orphaned. Re-run collection for complete data.');
    return json.data;
  }

  async available(): Promise<readonly ClientJob[]> {
    const { status, json } = await this.send('GET', '/jobs/available');
    return status === 200 ? (json.data ?? []) : [];
  }

  /** @returns the started job, the earliest due one by its own clock */
  async pick(now = Date.now()): Promise<ClientJob | undefined> {
    const [job] = (await this.available())
      .filter(({ status, execution_time }) => status === 0 && Date.parse(execution_time) <= now)
      .toSorted((a, b) => Date.parse(a.execution_time) - Date.parse(b.execution_time));
    if (job === undefined) return undefined;
    const { status } = await this.send('POST', '/jobs/start', { id: job.id });
    return status === 200 ? job : undefined;
  }

  heartbeat(): Promise<Reply> {
    return this.send('GET', '/jobs/current');
  }

  /** @returns the statuses of all four */
  async ingest(entries: readonly object[]): Promise<readonly number[]> {
    const batch = JSON.stringify({ meta: { type: 'azure', version: 0, count: 0 }, data: entries });
    const body = gzipSync(batch);
    const headers = this.headers('POST', '/api/v2/ingest', body);
    const statuses: number[] = [];
    for (let time = 0; time < TIMES_SENT; time++) {
      statuses.push((await this.exchange('POST', '/api/v2/ingest', body, headers)).status);
    }
    return statuses;
  }

  sendBatch(body: Buffer): Promise<Reply> {
    return this.exchange('POST', '/api/v2/ingest', body, this.headers('POST', '/api/v2/ingest', body));
  }

  end(status: string, message: string, more: object = {}): Promise<Reply> {
    return this.send('POST', '/jobs/end', { status, message, ...more });
  }

  async send(method: string, path: string, json?: object): Promise<Reply> {
    const target = `/api/v2${path}`;
    const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
    const headers = this.headers(method, target, body);
    if (body !== undefined) headers['content-type'] = 'application/json';
    return this.exchange(method, target, body, headers);
  }

  /** Without content type. */
  headers(method: string, target: string, body: Buffer = Buffer.alloc(0)): Record<string, string> {
    // Go's format, in the time zone of the collector.
    const date = new Date(Date.now() - 5 * 3600_000).toISOString().replace(/\.\d+Z$/, '-05:00');
    const operation = createHmac('sha256', this.#token.key)
      .update(method + target)
      .digest();
    const hour = createHmac('sha256', operation).update(date.slice(0, 13)).digest();
    return {
      authorization: `bhesignature ${this.#token.id}`,
      requestdate: date,
      signature: createHmac('sha256', hour).update(body).digest('base64'),
      'user-agent': 'azurehound/v2.2.1',
      accept: 'application/json',
      prefer: 'wait=60',
      ...(target === '/api/v2/ingest' && { 'content-encoding': 'gzip' }),
    };
  }

  async exchange(
    method: string,
    target: string,
    body: Buffer | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const answer = await fetch(this.#url + target, {
      method,
      headers,
      body: body === undefined ? undefined : new Uint8Array(body),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
  }
}
