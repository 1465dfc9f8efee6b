/** Distinguishes errors in written data (a value that a column cannot store) from errors of the work and of its surroundings. */

/**
 * SQLSTATE of classes 22 (data exception), 23 (constraint) and 54 (a limit of the program: a row or a document that is
 * too large). PostgreSQL manual, appendix A.
 */
const DATA_FAULT = /^(?:22|23|54)[0-9A-Z]{3}$/;

/** @returns the SQLSTATE; `undefined` for other errors */
export function dataFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && DATA_FAULT.test(code) ? code : dataFault(error.cause);
}
