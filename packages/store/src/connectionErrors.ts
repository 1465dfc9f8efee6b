/** Distinguishes connection errors, after which the same work may succeed, from errors of the work. */

const SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * SQLSTATE of a server that shuts down or has too many connections: class 08, 57P01 to 57P05, 53300 (PostgreSQL manual, appendix A). 25P02
 * and 40P01 are not among them.
 */
const SERVER_CODES = /^(08...|57P0[1-5]|53300)$/;

const MESSAGES =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed/i;

export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: string; syscall?: string };
  // `connect` reports a missing socket; any other missing file is a different error.
  if (code === 'ENOENT') return syscall === 'connect';
  if (code !== undefined) return SYSTEM_CODES.has(code) || SERVER_CODES.test(code);
  return MESSAGES.test(error.message) || isConnectionError(error.cause);
}
