/** Adds the position in the query to errors of values, as in syntax errors. */
import { CypherError } from '../cypherError.ts';
import type { Evaluate } from '../run/context.ts';

/** @returns the error with its own position, or else with the position of the innermost part of the query */
export function placed(error: unknown, at: number): unknown {
  if (!(error instanceof CypherError) || error.kind !== 'value' || error.offset !== undefined) return error;
  return new CypherError(error.kind, error.message, at);
}

/** @returns the result of the work, whose errors have the position */
export function placing<Result>(at: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw placed(error, at);
  }
}

/** @returns the same evaluation, whose errors have a position */
export const placedAt =
  (evaluate: Evaluate, at: number): Evaluate =>
  (row) => {
    try {
      return evaluate(row);
    } catch (error) {
      throw placed(error, at);
    }
  };
