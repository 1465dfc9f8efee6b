/** Errors between a client and the service, as types that a caller can distinguish. */

import type { ComputingRecord } from '@clew/api';
import { counted } from '@clew/model';

/** The service answered with an error. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** Where the error occurred according to the service: `login`, `clients`, `middleware`; empty if unknown. */
  readonly context: string;
  /** All messages of the answer; `message` is the first. */
  readonly messages: readonly string[];
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Milliseconds to wait before the next attempt, according to the service; only for 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(answer: {
    readonly status: number;
    readonly context: string;
    readonly messages: readonly string[];
    readonly requestId: string | undefined;
    readonly retryAfter: number | undefined;
  }) {
    super(answer.messages[0] ?? `the service returned status ${answer.status}`);
    this.status = answer.status;
    this.context = answer.context;
    this.messages = answer.messages;
    this.requestId = answer.requestId;
    this.retryAfter = answer.retryAfter;
  }
}

/**
 * An answer that does not come from the service in its usual form, but from a proxy, another server or a wrong address, or that is damaged.
 */
export class AnswerError extends ApiError {
  override readonly name: string = 'AnswerError';

  /** @param what describes what was received instead of an answer of the service */
  constructor(status: number, what: string) {
    super({ status, context: '', messages: [what], requestId: undefined, retryAfter: undefined });
  }
}

/** The service could not be reached, or the connection broke. `cause` contains the reason. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** `ECONNREFUSED`, `ECONNRESET`, ...; empty if the platform gives none. */
  readonly code: string;

  constructor(url: string, cause: unknown) {
    const code = systemCode(cause);
    super(`no answer from ${url}${code === '' ? '' : ` (${code})`}`, { cause });
    this.code = code;
  }
}

/** No answer within the time limit. */
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

/** The plan was not ready within the time limit. */
export class PlanNotReadyError extends Error {
  override readonly name = 'PlanNotReadyError';
  /** The progress at that time. */
  readonly progress: ComputingRecord;

  constructor(progress: ComputingRecord) {
    const cards = counted(progress.card_count, 'card');
    super(progress.fault ?? `the plan is still being computed (${cards} so far); try again later`);
    this.progress = progress;
  }
}
