/**
 * Errors as clients see them: the wrapper of `docs/reference/api.md#errors`, on every error, whatever went
 * wrong.
 */
import { type ErrorWrapper, errorMessage, formatTime } from '@clew/api';
import { isConnectionError } from '@clew/store';
import { ApiError, apiError } from './apiError.ts';

/** A database that ended unasked is usually back within this time. */
const RETRY_SECONDS = 2;

/** @returns the error itself; of other errors what the client can do: come back when the database is, or report it */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isConnectionError(error)) return apiError('internal');
  return new ApiError('notReady', errorMessage('notReady', { reason: 'the database cannot be reached' }), {
    headers: { 'Retry-After': String(RETRY_SECONDS) },
    cause: error,
  });
}

export function errorWrapper(error: ApiError, requestId: string): ErrorWrapper {
  const messages = [error.message, ...error.details];
  return {
    http_status: error.status,
    timestamp: formatTime(Date.now()),
    request_id: requestId,
    errors: messages.map((message) => ({ context: error.context, message })),
  };
}
