/** Parts of an answer that the service refuses to this user. */
import { ApiError } from '@clew/client';

/** @returns `undefined` if the user may not see it */
export async function orRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
