/** Errors of values say where in the query they happened, as errors of its form do. */
import { CypherError } from '../cypherError.ts';

/** @returns the error, with a place where it has none: that of the innermost part of the query */
export function placed(error: unknown, at: number): unknown {
  if (!(error instanceof CypherError) || error.kind !== 'value' || error.offset !== undefined) return error;
  return new CypherError(error.kind, error.message, at);
}
