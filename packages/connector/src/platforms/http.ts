/** Requests to host platforms, and the meaning of their answers for the items. */
import { gzipSync } from 'node:zlib';
import { readRetryAfter } from '@clew/client';
import { type NodeFetch, nodeFetch } from '@clew/client/node';
import { endAfter } from '@clew/model';
import { cutTo } from '../cutTo.ts';
import type { Outcome } from './platform.ts';
import { redactorOf } from './secrets.ts';

export interface HttpSettings {
  readonly verifyTls?: boolean;
  readonly caBundle?: string;
  readonly proxy?: string;
  /** Time limit in seconds. */
  readonly timeout?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  readonly headers: Headers;
  /** The answer is longer than the kept part. */
  readonly isCut?: boolean;
}

/** The request got no answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** False if no connection was made, so that the host cannot have the message. */
  readonly mayHaveArrived: boolean;

  constructor(reason: string, mayHaveArrived: boolean) {
    super(reason);
    this.mayHaveArrived = mayHaveArrived;
  }
}

export interface HttpMessage {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly gzip?: boolean;
}

const DEFAULT_TIMEOUT_S = 30;
/** Maximum number of bytes kept of an answer. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

export class PlatformHttp {
  readonly #settings: HttpSettings;
  readonly #redact: (text: string) => string;
  #fetch: Promise<NodeFetch> | undefined;

  /** @param settings its secrets are replaced in all answers */
  constructor(settings: HttpSettings) {
    this.#settings = settings;
    this.#redact = redactorOf(settings);
  }

  /** Does not follow redirects. @throws NoAnswerError with an explanation if there is no answer */
  async send(message: HttpMessage, signal?: AbortSignal): Promise<HttpAnswer> {
    const { method = 'POST', url, headers, body, gzip = false } = message;
    const deadline = endAfter((this.#settings.timeout ?? DEFAULT_TIMEOUT_S) * 1000);
    this.#fetch ??= nodeFetch(this.#settings);
    const { fetch } = await this.#fetch;
    try {
      const answer = await fetch(url, {
        method,
        headers: { ...headers, ...(gzip && { 'content-encoding': 'gzip' }) },
        body: body === undefined ? undefined : gzip ? gzipSync(body) : body,
        redirect: 'manual',
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      });
      const { text: answered, isCut } = await readBounded(answer);
      const text = this.#redact(answered);
      const { status, headers: own } = answer;
      return { status, text, retryAfterMs: readRetryAfter(own, Date.now()), headers: own, isCut };
    } catch (error) {
      signal?.throwIfAborted();
      const { host } = new URL(url);
      if (deadline.aborted) throw new NoAnswerError(`no answer from ${host} in time`, true);
      throw new NoAnswerError(`no answer from ${host}: ${this.#redact(causeOf(error))}`, !isUnsent(error));
    }
  }

  async close(): Promise<void> {
    await (await this.#fetch)?.close();
  }
}

async function readBounded(answer: Response): Promise<{ text: string; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) break;
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString(), isCut: size > MAX_ANSWER_BYTES };
}

/** Codes of errors before a connection, or before its certificate was accepted. */
const UNSENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_CERT.*|UNABLE_TO_.*|.*SELF_SIGNED.*)$/;

function isUnsent(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (UNSENT.test(String(Object(cause).code))) return true;
  return false;
}

/** `fetch` hides the reason in a chain of causes. */
function causeOf(error: unknown): string {
  let reason = '';
  for (let cause = error; cause instanceof Error; cause = cause.cause) reason = cause.message || reason;
  return reason;
}

/**
 * Interprets a status by default rules: 2xx accepts the items; 408, 425, 429 and 5xx may accept them later; wrong credentials and
 * addresses also wait, because administrators fix them; other 4xx never accept the items.
 */
export function outcomeOf(answer: Omit<HttpAnswer, 'headers'>): Outcome {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { result: 'delivered' };
  const reason = reasonOf(answer);
  const isLasting =
    status >= 400 && status < 500 && ![401, 403, 404, 405, 408, 410, 425, 429].includes(status);
  return isLasting ? { result: 'rejected', reason } : { result: 'retry', reason, afterMs: retryAfterMs };
}

const MAX_REASON = 300;

/** The status and the text of an answer, on one line. */
export const reasonOf = ({ status, text, isCut }: Pick<HttpAnswer, 'status' | 'text' | 'isCut'>): string =>
  isCut
    ? `${status} the answer is too large: over ${MAX_ANSWER_BYTES} bytes`
    : `${status} ${cutTo(text.replaceAll(/\s+/g, ' '), MAX_REASON)}`.trim();

/** Groups pieces up to this number of bytes, including separators; a larger piece is a group by itself. */
export function* chunksOf<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  maxBytes: number,
): Generator<readonly Item[]> {
  let chunk: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item) + 1;
    if (chunk.length > 0 && bytes + size > maxBytes) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(item);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}

export const same = (outcome: Outcome, count: number): Outcome[] =>
  Array.from({ length: count }, () => outcome);
