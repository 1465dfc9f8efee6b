/** Errors between a client and the service, as types that a caller can distinguish. */
import type { ComputingRecord } from '@clew/api';

/** The service answered with an error. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** Where the service says the error took place: `login`, `clients`, `middleware`; empty when it does not say. */
  readonly context: string;
  /** All messages of the answer; `message` is the first. */
  readonly messages: readonly string[];
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** Milliseconds the service asks to wait before the next try; only with 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(answer: {
    readonly status: number;
    readonly context: string;
    readonly messages: readonly string[];
    readonly requestId: string | undefined;
    readonly retryAfter: number | undefined;
  }) {
    super(answer.messages[0] ?? `the service answered with status ${answer.status}`);
    this.status = answer.status;
    this.context = answer.context;
    this.messages = answer.messages;
    this.requestId = answer.requestId;
    this.retryAfter = answer.retryAfter;
  }
}

/** Something answered, but not as the service does: a proxy, another server, a wrong address, or a damaged answer. */
export class AnswerError extends ApiError {
  override readonly name: string = 'AnswerError';

  /** @param what describes the thing that was received instead of an answer of the service */
  constructor(status: number, what: string) {
    super({ status, context: '', messages: [what], requestId: undefined, retryAfter: undefined });
  }
}

/** The service could not be reached, or the connection broke. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** `ECONNREFUSED`, `ECONNRESET`, ...; empty when the platform gives none. */
  readonly code: string;

  constructor(url: string, cause: unknown) {
    const code = systemCode(cause);
    super(`no answer from ${url}${code === '' ? '' : ` (${code})`}`, { cause });
    this.code = code;
  }
}

/** No answer within the time given. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(url: string, milliseconds: number) {
    super(`no answer from ${url} within ${Number((milliseconds / 1000).toFixed(1))} s`);
  }
}

/** `fetch` hides the reason of a failure in a chain of causes. */
function systemCode(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return '';
}

/** The plan was not made in the time that was waited for it. */
export class PlanNotReadyError extends Error {
  override readonly name = 'PlanNotReadyError';
  /** How far it was. */
  readonly progress: ComputingRecord;

  constructor(progress: ComputingRecord) {
    const cards = progress.card_count === 1 ? '1 card' : `${progress.card_count} cards`;
    super(progress.fault ?? `the plan is still being made (${cards} so far); ask again later`);
    this.progress = progress;
  }
}
