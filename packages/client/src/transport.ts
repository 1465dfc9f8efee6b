/** One request to the service and its answer: credentials, deadline, retries, errors. Independent of the operations. */
import { endAfter } from '@clew/model';
import { Answer, errorText } from './answer.ts';
import type { RequestBody } from './body.ts';
import { AnswerError, ApiError, ConnectionError, TimeoutError } from './errors.ts';
import {
  DEFAULT_RETRY_POLICY,
  isIdempotent,
  pause,
  pauseBeforeRetry,
  type RetryPolicy,
  readRetryAfter,
} from './retry.ts';
import { signRequest, type TokenCredentials } from './signing.ts';
import { Turns } from './turns.ts';

export interface SessionCredentials {
  /** Session token from `POST /api/v2/login`. */
  readonly session: string;
}

export type Credentials = TokenCredentials | SessionCredentials;

export interface TransportOptions {
  /** Base address of the service. */
  readonly url: string | URL;
  /** Without credentials, only anonymous operations succeed. */
  readonly credentials?: Credentials;
  readonly fetch?: typeof fetch;
  readonly retry?: Partial<RetryPolicy>;
  /** Default timeout in milliseconds for one attempt of a request; 60,000 if absent. */
  readonly timeout?: number;
  /** Timeout in milliseconds for a request with all its attempts; unlimited if absent. The `wait` of a request is added. */
  readonly totalTimeout?: number;
  /**
   * Maximum size in bytes of an answer that is read into memory, after decompression; 64 MiB is the default and the maximum. Streams have
   * no limit.
   */
  readonly maxAnswerBytes?: number;
  readonly userAgent?: string;
  /** Id of a view as another user (`BeginViewAs`): every request is answered as that user, and changes are refused. */
  readonly viewAs?: string;
}

/** Options of a single request. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The required part of the answer as JSON Schema, instead of the contract, for servers that return less. */
  readonly needs?: object;
  /** Maximum number of seconds for the service (`Prefer: wait`); -1 asks for no limit. */
  readonly wait?: number;
  /** The answer comes from the published graph with this number, or a newer one; `wait` limits the time for it. */
  readonly generation?: number;
  /** The layer of the caller that a query reads, and may change (`Prefer: layer`). */
  readonly layer?: string;
  /** Milliseconds for one attempt; `Infinity` for no limit. Slightly more than `wait` by default. */
  readonly timeout?: number;
}

export interface TransportRequest extends CallOptions {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** Overrides whether the request may be repeated, which otherwise depends on the method. */
  readonly idempotent?: boolean;
  /** Called with the number of bytes of the body that were sent; restarts at 0 with each attempt. */
  readonly onSent?: (bytes: number) => void;
  /** Maximum milliseconds without progress: no part of the body is accepted, or no answer follows it. Only for streamed bodies. */
  readonly silence?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** Time for the transfer of an answer after the service has stopped waiting. */
const TRANSFER_ALLOWANCE_MS = 10_000;

export class Transport {
  readonly #base: URL;
  readonly #options: TransportOptions;
  readonly #retry: RetryPolicy;
  readonly #fetch: typeof fetch;
  readonly #largeAnswers = new Turns();

  constructor(options: TransportOptions) {
    this.#base = new URL(options.url);
    this.#options = options;
    this.#retry = { ...DEFAULT_RETRY_POLICY, ...options.retry };
    // Browsers reject a `fetch` that is called as a method of another object.
    const given = options.fetch ?? globalThis.fetch;
    this.#fetch = (input, init) => given(input, init);
  }

  get url(): string {
    return this.#base.href.replace(/\/$/, '');
  }

  withCredentials(credentials: Credentials): Transport {
    return new Transport({ ...this.#options, credentials });
  }

  /** @param viewAs id of a view as another user; `undefined` for none */
  withViewAs(viewAs: string | undefined): Transport {
    const { viewAs: _, ...options } = this.#options;
    return new Transport({ ...options, ...(viewAs !== undefined && { viewAs }) });
  }

  /**
   * @param read reads an answer with a status below 400; a connection that breaks meanwhile counts as a failed attempt
   * @throws ApiError for any other answer, ConnectionError and TimeoutError for no answer after the last attempt; the reason of the signal
   * when it aborts
   */
  async send<T>(request: TransportRequest, read: (answer: Answer) => Promise<T>): Promise<T> {
    const idempotent = request.idempotent ?? isIdempotent(request.method);
    const until = Date.now() + this.#totalFor(request);
    for (let failures = 1; ; failures++) {
      try {
        return await this.#try(request, read, until - Date.now());
      } catch (error) {
        request.signal?.throwIfAborted();
        const milliseconds = pauseBeforeRetry(error, failures, idempotent, this.#retry);
        if (milliseconds === undefined || Date.now() + milliseconds >= until) throw error;
        await pause(milliseconds, request.signal);
      }
    }
  }

  async #try<T>(request: TransportRequest, read: (answer: Answer) => Promise<T>, left: number): Promise<T> {
    request.signal?.throwIfAborted();
    // `fetch` sends the URL in the form that the parser normalized, so that form must be signed.
    const url = new URL(this.url + request.target);
    const headers = await this.#headers(request, url.pathname + url.search);
    const timeout = Math.max(1, Math.min(request.timeout ?? this.#timeoutFor(request.wait), left));
    const deadline = Number.isFinite(timeout) ? endAfter(timeout) : undefined;
    const silence = watchSilence(request);
    const signals = [request.signal, deadline, silence?.signal].filter((signal) => signal !== undefined);
    const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
    try {
      const response = await this.#fetch(url, {
        method: request.method,
        headers,
        redirect: 'manual',
        signal: signal ?? null,
        ...bodyOf({ ...request, onSent: silence?.onSent ?? request.onSent }),
      });
      if (response.status >= 400) throw await readError(response);
      if (response.status < 200 || response.status >= 300) throw redirectOf(response, this.#base, url);
      if (isPage(response)) throw new AnswerError(response.status, A_PAGE);
      return await read(
        new Answer(response, {
          ...{ turns: this.#largeAnswers, signal, maxBytes: this.#options.maxAnswerBytes },
        }),
      );
    } catch (error) {
      if (error instanceof ApiError) throw error;
      request.signal?.throwIfAborted();
      if (deadline?.aborted) throw new TimeoutError(this.url, timeout);
      if (silence?.signal.aborted) throw new TimeoutError(this.url, request.silence as number);
      throw new ConnectionError(this.url, error);
    } finally {
      silence?.end();
    }
  }

  /** Created for each attempt, so that a signature is never older than its attempt. */
  async #headers(request: TransportRequest, target: string): Promise<Record<string, string>> {
    const { credentials, userAgent, viewAs } = this.#options;
    const headers: Record<string, string> = { accept: 'application/json', ...request.headers };
    headers['user-agent'] = userAgent ?? 'clew-client';
    const preferences = preferencesOf(request);
    if (preferences !== '') headers.prefer = preferences;
    if (request.body !== undefined) headers['content-length'] = String(request.body.size);
    if (viewAs !== undefined) headers['clew-view-as'] = viewAs;
    if (credentials === undefined) return headers;
    if ('session' in credentials) return { ...headers, authorization: `Bearer ${credentials.session}` };
    const signed = await signRequest(credentials, request.method, target, request.body, new Date());
    return { ...headers, ...signed };
  }

  #totalFor({ wait, timeout }: TransportRequest): number {
    const { totalTimeout = Number.POSITIVE_INFINITY } = this.#options;
    if (wait === -1 || timeout === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    return totalTimeout + (wait ?? 0) * 1000;
  }

  #timeoutFor(wait: number | undefined): number {
    if (wait === -1) return Number.POSITIVE_INFINITY;
    if (wait !== undefined) return wait * 1000 + TRANSFER_ALLOWANCE_MS;
    return this.#options.timeout ?? DEFAULT_TIMEOUT_MS;
  }
}

function preferencesOf({ wait, generation, layer }: CallOptions): string {
  const parts = [
    wait !== undefined && `wait=${wait}`,
    generation !== undefined && `generation=${generation}`,
    layer !== undefined && `layer=${layer}`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** A file may take hours to transfer, but not while the server reads nothing. */
function watchSilence({ silence, body, onSent }: TransportRequest) {
  if (silence === undefined || body === undefined || body.blob !== undefined) return undefined;
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(), silence);
  let timer = start();
  return {
    signal: controller.signal,
    onSent: (bytes: number) => {
      clearTimeout(timer);
      timer = start();
      onSent?.(bytes);
    },
    end: () => clearTimeout(timer),
  };
}

function bodyOf(request: TransportRequest): RequestInit {
  const { body, onSent } = request;
  if (body === undefined) return {};
  if (body.blob !== undefined) return { body: body.blob };
  if (body.bytes !== undefined && onSent === undefined) return { body: body.bytes };
  // `duplex` is not a member of the type in browsers.
  return { body: streamOf(counted(body.chunks(), onSent)), duplex: 'half' } as RequestInit;
}

/** Works like `ReadableStream.from`, which some browsers lack. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
}

async function* counted(chunks: AsyncIterable<Uint8Array>, onSent: ((bytes: number) => void) | undefined) {
  let sent = 0;
  for await (const chunk of chunks) {
    yield chunk;
    sent += chunk.length;
    onSent?.(sent);
  }
}

/** Reads the error wrapper; an answer without one, such as that of a proxy, still becomes an ApiError. */
async function readError(response: Response): Promise<ApiError> {
  const text = await errorText(response).catch(() => '');
  const wrapper = parseWrapper(text);
  return new ApiError({
    status: response.status,
    context: wrapper?.errors[0]?.context ?? '',
    messages: wrapper?.errors.map((entry) => entry.message) ?? pageMessage(text, response.status),
    requestId: wrapper?.request_id ?? response.headers.get('requestid') ?? undefined,
    retryAfter:
      response.status === 429 || response.status === 503
        ? readRetryAfter(response.headers, Date.now())
        : undefined,
  });
}

const pageMessage = (text: string, status: number): string[] =>
  /^\s*</.test(text)
    ? [`status ${status} with a web page: the address is wrong, or a login page is in front of the service`]
    : [];

const A_PAGE = 'this is a web page: the address is wrong, or a login page is in front of the service';

/** No operation that a client calls returns a web page. */
function isPage({ headers, body }: Response): boolean {
  if (!/^text\/html/i.test(headers.get('content-type') ?? '')) return false;
  body?.cancel().catch(() => {});
  return true;
}

/** No operation returns a redirect, so the address is that of something in front of the service, or a different spelling of it. */
function redirectOf(response: Response, base: URL, url: URL): AnswerError {
  response.body?.cancel().catch(() => {});
  const { status } = response;
  // Browsers hide the target and the status.
  if (response.type === 'opaqueredirect') return new AnswerError(status, 'the answer is a redirect');
  const location = response.headers.get('location');
  const target = location === null ? null : URL.parse(location, url.href);
  if (status < 300 || target === null)
    return new AnswerError(status, `status ${status}, which does not come from the service`);
  target.username = '';
  target.password = '';
  const rest = url.href.slice(base.href.replace(/\/$/, '').length);
  const address = target.href.endsWith(rest) ? target.href.slice(0, -rest.length) : undefined;
  const advice =
    address === undefined
      ? 'the address is wrong, or a login page is in front of the service'
      : `use ${address} as its address`;
  return new AnswerError(status, `the answer is a redirect to ${target.href.slice(0, 500)}: ${advice}`);
}

interface ErrorWrapper {
  readonly request_id?: string;
  readonly errors: readonly { readonly context: string; readonly message: string }[];
}

/** A document with many faults has one message per fault: the service lists up to 1000 and their total number. */
const MAX_ERRORS = 1010;

/** @returns `undefined` for a body that is not the wrapper of the service */
function parseWrapper(text: string): ErrorWrapper | undefined {
  try {
    const { errors, request_id } = Object(JSON.parse(text)) as { errors?: unknown; request_id?: unknown };
    if (!Array.isArray(errors) || !errors.every((entry) => typeof Object(entry).message === 'string'))
      return undefined;
    return {
      ...(typeof request_id === 'string' && { request_id }),
      errors: errors
        .slice(0, MAX_ERRORS)
        .map(({ context, message }) => ({ context: typeof context === 'string' ? context : '', message })),
    };
  } catch {
    return undefined;
  }
}
