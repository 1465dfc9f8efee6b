/** Runs the service of a source tree in a separate process on a separate database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kept } from './differences.ts';

const PASSWORD = 'Correct-Horse-1';
const MAX_START_MS = 180_000;
const MAX_ANSWER_MS = 300_000;
const MAX_INGEST_MS = 900_000;
const MAX_OUTPUT = 8000;
/** Waiting or running jobs, by their numbers in the public API. */
const UNFINISHED: ReadonlySet<number> = new Set([0, 1, 6, 7]);

export class ServiceOf {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #keys = new Map<string, string>();
  #token = '';

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  /** @throws Error with the last output of the process if it does not answer */
  static async start(tree: string, directory: string): Promise<ServiceOf> {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(CLEW_|npm_|NODE_)/.test(name));
    const child = spawn(process.execPath, [join(tree, 'packages/cli/src/main.ts'), 'serve'], {
      cwd: tree,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(inherited),
        CLEW_DATA_DIR: directory,
        CLEW_PORT: '0',
        CLEW_ADMIN_PASSWORD: PASSWORD,
        CLEW_RATE_LIMIT: '0',
        CLEW_LOG_LEVEL: 'info',
      },
    });
    let output = '';
    const url = new Promise<string>((found) => {
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on('line', (line) => {
          output = `${output}${line}\n`.slice(-MAX_OUTPUT);
          const address = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(line)?.[0];
          if (address !== undefined) found(address);
        });
    });
    const ended = once(child, 'exit').then(() =>
      Promise.reject(new Error(`${tree} did not start: ${output}`)),
    );
    ended.catch(() => {});
    const late = sleep(MAX_START_MS, undefined, { ref: false }).then(() =>
      Promise.reject(new Error(`${tree} does not answer: ${output}`)),
    );
    try {
      const service = new ServiceOf(child, await Promise.race([url, ended, late]));
      await service.#signIn();
      return service;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  async #signIn(): Promise<void> {
    const body = JSON.stringify({ login_method: 'secret', username: 'admin', secret: PASSWORD });
    const { status, text } = await this.#call('POST', '/api/v2/login', body, 'application/json');
    if (status !== 200) throw new Error(`signing in answered ${status}: ${text}`);
    this.#token = JSON.parse(text).data.session_token;
  }

  /** Uploads an archive, and waits for the end of its job. */
  async upload(archive: string): Promise<void> {
    const started = await this.#call('POST', '/api/v2/file-upload/start');
    const { id } = JSON.parse(started.text).data;
    await this.#call('POST', `/api/v2/file-upload/${id}`, readFileSync(archive), 'application/zip');
    await this.#call('POST', `/api/v2/file-upload/${id}/end`);
    await this.#until(async () => {
      const { text } = await this.#call('GET', `/api/v2/file-upload?id=eq:${id}`);
      const [{ status, status_message }] = JSON.parse(text).data;
      if (UNFINISHED.has(status)) return false;
      // Complete, or partially complete.
      if (status !== 2 && status !== 8) throw new Error(`the upload ended: ${status_message}`);
      return true;
    });
  }

  /** Waits until no analysis runs and the plan exists, because findings refer to its repairs. */
  async rest(): Promise<void> {
    await this.#until(async () => {
      const { text } = await this.#call('GET', '/api/v2/datapipe/status');
      return JSON.parse(text).data.status === 'idle';
    });
    await this.#until(async () => {
      const { status, text } = await this.#call('GET', '/api/v2/plan');
      return status === 200 && (JSON.parse(text).data.computing ?? null) === null;
    });
  }

  async #until(isSo: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + MAX_INGEST_MS;
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`no end after ${MAX_INGEST_MS / 1000} seconds`);
      await sleep(300);
    }
  }

  /** @param question a target, in which `{node:OBJECTID}` represents the number of a node */
  async ask(question: string): Promise<Kept> {
    let target = question;
    for (const [mark, id] of question.matchAll(/\{node:([^}]+)\}/g))
      target = target.replace(mark, await this.#keyOf(id as string));
    return this.#call('GET', target);
  }

  async #keyOf(id: string): Promise<string> {
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    const query = new URLSearchParams({ query: id, type: 'exact' });
    const { text } = await this.#call('GET', `/api/v2/graph-search?${query}`);
    const [key] = Object.keys(JSON.parse(text).data);
    if (key === undefined) throw new Error(`${id} is not found`);
    this.#keys.set(id, key);
    return key;
  }

  async #call(method: string, target: string, body?: string | Buffer, type?: string): Promise<Kept> {
    const answer = await fetch(this.#url + target, {
      method,
      body: typeof body === 'object' ? new Uint8Array(body) : body,
      headers: {
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      signal: AbortSignal.timeout(MAX_ANSWER_MS),
    });
    return { status: answer.status, text: await answer.text() };
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await Promise.race([
      ended,
      sleep(60_000, undefined, { ref: false }).then(() => this.#child.kill('SIGKILL')),
    ]);
  }
}
