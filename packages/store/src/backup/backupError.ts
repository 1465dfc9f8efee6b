import { StartError } from '@clew/embedded';
import pg from 'pg';
import { isConnectionError } from '../connectionErrors.ts';

/** No data was restored or written; the message has the reason. */
export class BackupError extends StartError {
  override readonly name = 'BackupError';
}

/** @returns errors of the database, its connection or the disk with the outcome for the user; program errors unchanged */
export function withOutcome(error: unknown, outcome: string): unknown {
  if (!(error instanceof Error) || error instanceof StartError || error.name === 'AbortError') return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  // The socket was closed between two statements.
  if (isConnectionError(error) || code === 'ERR_STREAM_DESTROYED')
    return new BackupError(`${outcome}: the connection to the database was lost (${error.message})`, {
      cause: error,
    });
  if (!(error instanceof pg.DatabaseError || 'syscall' in error)) return error;
  return new BackupError(`${outcome}: ${error.message}`, { cause: error });
}
