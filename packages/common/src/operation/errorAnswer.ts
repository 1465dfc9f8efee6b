/** Errors as clients see them: all have the wrapper of `docs/reference/api.md#errors`. */
import { type ErrorWrapper, errorMessage, formatTime } from '@clew/api';
import { surroundingsFault } from '@clew/store';
import { ApiError, apiError, notReady } from './apiError.ts';

/** A database that ended unexpectedly is usually available again within this time; a full disk needs an administrator. */
const RETRY_SECONDS = { database: 2, disk: 60 };

/**
 * @returns an error of the API unchanged; for other errors, one with the next step of the client: to retry when space or the database is
 * available again, or to report it
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const fault = surroundingsFault(error);
  if (fault === undefined) return apiError('internal');
  if (fault === 'the disk is full') {
    const headers = { 'Retry-After': String(RETRY_SECONDS.disk) };
    return new ApiError('storageFull', errorMessage('storageFull'), { headers, cause: error });
  }
  return notReady(fault, RETRY_SECONDS.database, error);
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
