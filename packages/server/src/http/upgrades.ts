/** Requests while a newer version changes the tables of the database, and after it: reads are answered, writes are refused. */
import { isReading, type RouteContract } from '@clew/api';
import { notReady } from '@clew/common';

/** @returns why requests must not change data now, if so */
export type WritesRefused = () => string | undefined;

/** Time after which a client should repeat a write. A step of an upgrade usually takes less. */
const AGAIN_SECONDS = 5;

/** @throws ApiError 503 for an operation that changes data */
export function refuseWrite(contract: RouteContract, writesRefused: WritesRefused | undefined): void {
  const reason = isReading(contract) ? undefined : writesRefused?.();
  if (reason !== undefined) throw notReady(reason, AGAIN_SECONDS);
}

/**
 * Classes of SQLSTATE (PostgreSQL manual, appendix A) of statements for other tables: features that are not supported, such as a statement
 * prepared for other columns; violated constraints; missing tables, columns and functions.
 */
const OTHER_TABLES = /^(?:0A|23|42)...$/;

/** @returns 503 for an error that the tables of the newer version explain, and other errors unchanged */
export function ofOtherTables(error: unknown, writesRefused: WritesRefused | undefined): unknown {
  const reason = writesRefused?.();
  return reason !== undefined && isOfTables(error) ? notReady(reason, AGAIN_SECONDS, error) : error;
}

function isOfTables(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as Error & { readonly code?: unknown };
  return (typeof code === 'string' && OTHER_TABLES.test(code)) || isOfTables(cause);
}
