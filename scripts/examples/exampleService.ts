/** The service that answers the examples, as its administrator asks it. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL_JOB_STATUSES } from '@clew/api';
import type { Sent } from './known.ts';

export class ExampleService {
  readonly #url: string;
  /** Empty before the sign-in. */
  token = '';

  constructor(url: string) {
    this.#url = url;
  }

  async upload(file: string): Promise<void> {
    const { id } = (await this.call('POST', '/api/v2/file-upload/start')).json.data;
    await this.call('POST', `/api/v2/file-upload/${id}`, {
      body: await readFile(file),
      contentType: 'application/zip',
    });
    await this.call('POST', `/api/v2/file-upload/${id}/end`);
    for (;;) {
      const [{ status }] = (await this.call('GET', `/api/v2/file-upload?id=eq:${id}`)).json.data;
      if (FINAL_JOB_STATUSES.includes(status)) return;
      await sleep(200);
    }
  }

  async call(
    method: string,
    target: string,
    {
      body,
      contentType = 'application/json',
      prefer,
    }: { readonly body?: unknown; readonly contentType?: string; readonly prefer?: string } = {},
  ): Promise<Pick<Sent, 'status' | 'json'>> {
    const answer = await fetch(this.#url + target, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': contentType }),
        ...(prefer !== undefined && { prefer }),
      },
      body:
        body === undefined || body instanceof FormData
          ? body
          : Buffer.isBuffer(body)
            ? new Uint8Array(body)
            : JSON.stringify(body),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: answer.status, ...(isJson ? { json: JSON.parse(text) } : {}) };
  }
}
