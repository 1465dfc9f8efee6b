/** Ends work that exhausts the machine's call stack with an error of the query. */
import { CypherError } from '../cypherError.ts';

/** Values and patterns nest without a limit of the language; an error ends them where the machine's call stack is exhausted. */
export function shallow<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError)
      throw new CypherError('limit', `the query is nested too deeply, or makes too much: ${error.message}`);
    throw error;
  }
}
