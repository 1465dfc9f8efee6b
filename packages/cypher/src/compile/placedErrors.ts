/** Adds the position in the query to errors of values, as in syntax errors. */
import { CypherError } from '../cypherError.ts';

/** @returns the error with its own position, or else with the position of the innermost part of the query */
export function placed(error: unknown, at: number): unknown {
  if (!(error instanceof CypherError) || error.kind !== 'value' || error.offset !== undefined) return error;
  return new CypherError(error.kind, error.message, at);
}
