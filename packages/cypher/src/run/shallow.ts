/** Turns a stack overflow into an error of the query. */
import { CypherError } from '../cypherError.ts';

/**
 * The language does not limit the nesting of values and patterns, so an error is thrown when the call stack is
 * exhausted.
 */
export function shallow<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError)
      throw new CypherError(
        'limit',
        `the query is nested too deeply, or creates values that are too large: ${error.message}`,
      );
    throw error;
  }
}
