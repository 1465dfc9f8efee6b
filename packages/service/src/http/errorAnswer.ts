/** Errors as clients see them: the wrapper of spec.md, on every error, whatever went wrong. */
import { type ErrorWrapper, formatTime } from '@clew/api';
import { ApiError, apiError } from './apiError.ts';

/** @returns the error itself, or the general one of the catalogue for what nobody foresaw. */
export function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : apiError('internal');
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
