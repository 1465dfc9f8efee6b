/** Asks all operations that read as a user, and finds objects in the answers that the user may not see. */
import {
  AnswerError,
  ApiError,
  bytesBody,
  type ClewClient,
  ConnectionError,
  TimeoutError,
} from '@clew/client';
import type { AccessRequest } from './accessRequests.ts';
import { type HiddenObject, hiddenAmong, type IsSeen } from './hiddenObjects.ts';
import { shownTexts } from './shownTexts.ts';

export interface Leak extends HiddenObject {
  readonly operation: string;
  readonly request: string;
  /** Further answers that name the object. */
  readonly more: number;
}

export interface AccessReport {
  readonly operations: number;
  readonly requests: number;
  readonly answers: Readonly<Record<string, number>>;
  /** Distinct texts of the answers that were looked up. */
  readonly texts: number;
  readonly leaks: readonly Leak[];
  /** Requests that were not answered, and why. */
  readonly failed: readonly { readonly request: string; readonly reason: string }[];
  /** Requests for which there was no time. */
  readonly not_asked: number;
  /** Answers of which only the beginning was read, and texts beyond the limit. */
  readonly cut: number;
}

/** The rest of a larger answer is not read: exports may have any size. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Texts that wait until they are looked up. */
const MAX_TEXTS = 20_000;
const WAIT_SECONDS = 20;
const UNANSWERED = [AnswerError, ConnectionError, TimeoutError] as const;

interface Found {
  readonly request: AccessRequest;
  count: number;
}

export interface CheckOptions {
  /** Asks as the user. */
  readonly user: ClewClient;
  /** Looks texts up. */
  readonly admin: ClewClient;
  readonly requests: readonly AccessRequest[];
  readonly isSeen: IsSeen;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly signal: AbortSignal;
  readonly onProgress: (asked: number) => void;
}

export async function checkAccess(options: CheckOptions): Promise<AccessReport> {
  const { requests, until, signal, onProgress } = options;
  const answers: Record<string, number> = {};
  const failed: { request: string; reason: string }[] = [];
  const operations = new Set<string>();
  const texts = new Texts(options);
  let asked = 0;
  let cut = 0;
  for (const request of requests) {
    if (Date.now() >= until) break;
    signal.throwIfAborted();
    asked++;
    operations.add(request.operation);
    try {
      const { status, text, isCut } = await answerTo(options, request);
      answers[status] = (answers[status] ?? 0) + 1;
      if (isCut) cut++;
      if (isNoAnswer(status)) failed.push({ request: labelOf(request), reason: `status ${status}` });
      await texts.add(request, text);
    } catch (error) {
      signal.throwIfAborted();
      if (!UNANSWERED.some((kind) => error instanceof kind)) throw error;
      failed.push({ request: labelOf(request), reason: (error as Error).message });
    }
    onProgress(asked);
  }
  await texts.lookUp();
  // Each request after the end of the view was refused, whatever it asked.
  const end = await answerTo(options, LAST);
  if (end.status !== 200)
    failed.push({ request: labelOf(LAST), reason: `the view ended early: ${end.text}` });
  return {
    ...{ operations: operations.size, requests: asked, answers, texts: texts.count },
    ...{ leaks: texts.leaks(), failed, not_asked: requests.length - asked, cut },
  };
}

const LAST: AccessRequest = { operation: 'GetSelf', method: 'GET', target: '/api/v2/self', asked: [] };

/** The service did not answer the question: an error, a limit of requests, or an ended session. */
const isNoAnswer = (status: number): boolean => status >= 500 || status === 429 || status === 401;

export const labelOf = ({ method, target, body }: AccessRequest): string =>
  `${method} ${target}${body === undefined ? '' : ` ${JSON.stringify(body).slice(0, 200)}`}`;

/** Texts of answers, looked up in batches, so that memory stays bounded. */
class Texts {
  readonly #options: Pick<CheckOptions, 'admin' | 'isSeen' | 'signal'>;
  readonly #waiting = new Map<string, Found>();
  /** Texts that were looked up and hide nothing. */
  readonly #harmless = new Set<string>();
  readonly #hidden = new Map<string, { readonly object: HiddenObject; readonly found: Found }>();
  count = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  async add(request: AccessRequest, text: string): Promise<void> {
    const asked = new Set(request.asked.map((one) => one.toUpperCase()));
    const once = new Set<string>();
    for (const shown of shownTexts(text)) {
      if (once.has(shown) || asked.has(shown.toUpperCase())) continue;
      once.add(shown);
      const known = this.#hidden.get(shown)?.found ?? this.#waiting.get(shown);
      if (known !== undefined) known.count++;
      else if (!this.#harmless.has(shown)) this.#waiting.set(shown, { request, count: 0 });
      if (this.#waiting.size >= MAX_TEXTS) await this.lookUp();
    }
  }

  async lookUp(): Promise<void> {
    const { admin, isSeen, signal } = this.#options;
    const hidden = await hiddenAmong(admin, [...this.#waiting.keys()], isSeen, signal);
    for (const [text, found] of this.#waiting) {
      const object = hidden.get(text);
      if (object !== undefined) this.#hidden.set(text, { object, found });
      else if (this.#harmless.size < MAX_HARMLESS) this.#harmless.add(text);
    }
    this.count += this.#waiting.size;
    this.#waiting.clear();
  }

  leaks(): readonly Leak[] {
    return [...this.#hidden.values()].map(({ object, found: { request, count } }) => ({
      ...object,
      ...{ operation: request.operation, request: labelOf(request), more: count },
    }));
  }
}

/** Further texts are looked up again. */
const MAX_HARMLESS = 500_000;

async function answerTo(
  { user, until, signal }: CheckOptions,
  { method, target, body }: AccessRequest,
): Promise<{ readonly status: number; readonly text: string; readonly isCut: boolean }> {
  const left = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  const request = {
    ...{ method, target, signal, wait: Math.min(WAIT_SECONDS, left), idempotent: true },
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: bytesBody(new TextEncoder().encode(JSON.stringify(body))),
    }),
  };
  try {
    return await user.transport.send(request, async ({ status, body: stream }) => ({
      status,
      ...(await beginningOf(stream)),
    }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, text: error.messages.join('\n'), isCut: false };
  }
}

async function beginningOf(stream: ReadableStream<Uint8Array> | null) {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const part of stream ?? []) {
    text += decoder.decode(part, { stream: true });
    size += part.byteLength;
    if (size > MAX_ANSWER_BYTES) return { text, isCut: true };
  }
  return { text: text + decoder.decode(), isCut: false };
}
