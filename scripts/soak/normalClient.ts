/** The user whom the attacks must not disturb. */
import { setTimeout as sleep } from 'node:timers/promises';

const SETTLE_MS = 90_000;

/** A working user, whose address differs from that of the attackers. */
export class NormalClient {
  readonly times: number[] = [];
  refused = 0;
  readonly #url: string;
  #bearer = '';

  constructor(url: string) {
    this.#url = url;
  }

  async call(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    type = 'application/json',
  ) {
    const startedAt = performance.now();
    const answer = await fetch(this.#url + path, {
      method,
      headers: {
        'x-forwarded-for': '198.51.100.7',
        ...(this.#bearer === '' ? {} : { authorization: `Bearer ${this.#bearer}` }),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    this.times.push(performance.now() - startedAt);
    if (answer.status >= 400) this.refused++;
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
  }

  async signIn(password: string): Promise<string> {
    const body = JSON.stringify({ login_method: 'secret', username: 'admin', secret: password });
    this.#bearer = (await this.call('POST', '/api/v2/login', body)).json.data.session_token;
    return this.#bearer;
  }

  /** @returns the session of a user with read access only */
  async addReader(password: string): Promise<string> {
    const user = JSON.stringify({ principal: 'reader', roles: [3], secret: password });
    await this.call('POST', '/api/v2/bloodhound-users', user);
    const body = JSON.stringify({ login_method: 'secret', username: 'reader', secret: password });
    return (await this.call('POST', '/api/v2/login', body)).json.data.session_token;
  }

  /** @returns milliseconds until the answer of a trivial query; not included in `times` */
  async cypher(): Promise<number> {
    const startedAt = performance.now();
    const { status } = await fetch(`${this.#url}/api/v2/graphs/cypher`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#bearer}`,
        'content-type': 'application/json',
        prefer: 'wait=30',
      },
      body: '{"query":"RETURN 1","rows":true}',
    });
    return status === 200 ? Math.round(performance.now() - startedAt) : Number.POSITIVE_INFINITY;
  }

  /** @returns the number of the job, if every step was accepted */
  async upload(archive: Uint8Array<ArrayBuffer>): Promise<number | undefined> {
    const { json } = await this.call('POST', '/api/v2/file-upload/start');
    const sent = await this.call('POST', `/api/v2/file-upload/${json.data.id}`, archive, 'application/zip');
    const ended = await this.call('POST', `/api/v2/file-upload/${json.data.id}/end`);
    return sent.status === 202 && ended.status === 200 ? json.data.id : undefined;
  }

  /** Drops the times so far. */
  forget(): void {
    this.times.length = 0;
    this.refused = 0;
  }

  /** Waits until nothing is being ingested or analyzed. */
  async settle(): Promise<void> {
    const until = Date.now() + SETTLE_MS;
    while (Date.now() < until) {
      await sleep(500);
      if ((await this.call('GET', '/api/v2/datapipe/status')).json.data.status === 'idle') return;
    }
  }
}
