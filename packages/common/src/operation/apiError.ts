/** An error of the catalog on its way to the client: thrown anywhere, and written into the wrapper by the HTTP layer. */
import { type ErrorCode, type ErrorValues, errorCatalog, errorMessage } from '@clew/api';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly context: string;
  /** Further entries of `errors`, after the error's own message (reports of schema violations). */
  readonly details: readonly string[];
  /** Headers of the answer (`Allow`, `Retry-After`). */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    extra: {
      readonly details?: readonly string[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: extra.cause });
    this.code = code;
    this.status = errorCatalog[code].status;
    this.context = errorCatalog[code].context;
    this.details = extra.details ?? [];
    this.headers = extra.headers ?? {};
  }
}

type Values<C extends ErrorCode> = keyof ErrorValues<C> extends never
  ? [values?: Readonly<Record<string, never>>]
  : [values: ErrorValues<C>];

/** `throw apiError('nodeNotFound')`, `throw apiError('columnNotFilterable', { column })`. */
export function apiError<C extends ErrorCode>(code: C, ...values: Values<C>): ApiError {
  return new ApiError(code, errorMessage(code, values[0]));
}

/** 503, with the seconds after which the client may retry. */
export function notReady(reason: string, retrySeconds: number, cause?: unknown): ApiError {
  return new ApiError('notReady', errorMessage('notReady', { reason }), {
    headers: { 'Retry-After': String(retrySeconds) },
    cause,
  });
}

/** 429, with a pause of one second. */
export function tooManyRequests(headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('tooManyRequests', errorMessage('tooManyRequests'), {
    headers: { 'Retry-After': '1', ...headers },
  });
}
