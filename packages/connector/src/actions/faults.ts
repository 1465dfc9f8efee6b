/** Explains errors of the client to analysts, and determines their effect on an answer. */
import { ApiError, ConnectionError, TimeoutError } from '@clew/client';

/** @throws all errors except answers of the service and failed connections to it */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.message} (${error.status})`;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return error.message;
  throw error;
}

/** The service does not have the object: an answer, not a failure. */
export function isUnknownObject(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

/** Repeating the request would fail again: the credentials are wrong, or the service limits the rate. */
export function isFatal(error: unknown): boolean {
  return error instanceof ApiError && [401, 429].includes(error.status);
}
