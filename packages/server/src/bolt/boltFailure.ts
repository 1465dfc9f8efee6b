/** Failures in the form of Bolt clients: a message and a code, whose second part decides whether drivers retry. */
import { ApiError, TypedQueryError, toApiError } from '@clew/common';
import { ClientGone } from '../http/deadline.ts';

export class BoltFailure extends Error {
  override readonly name = 'BoltFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const invalidRequest = (message: string): BoltFailure =>
  new BoltFailure('Neo.ClientError.Request.Invalid', message);

export const unauthorized = (): BoltFailure =>
  new BoltFailure(
    'Neo.ClientError.Security.Unauthorized',
    'the credentials are not valid: the user name must be the ID of an API token, the password its key',
  );

const OF_QUERIES: Readonly<Record<TypedQueryError['kind'], string>> = {
  syntax: 'Neo.ClientError.Statement.SyntaxError',
  meaning: 'Neo.ClientError.Statement.SemanticError',
  refused: 'Neo.ClientError.Statement.AccessMode',
  value: 'Neo.ClientError.Statement.ArgumentError',
  // Not a transient error: drivers would retry and reach the limit again.
  limit: 'Neo.ClientError.Statement.ExecutionFailed',
};

const OF_STATUSES: Readonly<Record<number, string>> = {
  401: 'Neo.ClientError.Security.Unauthorized',
  403: 'Neo.ClientError.Security.Forbidden',
  429: 'Neo.TransientError.Request.NoThreadsAvailable',
  503: 'Neo.TransientError.General.DatabaseUnavailable',
  507: 'Neo.TransientError.General.DatabaseUnavailable',
};

/** A failure after a query has changed a layer: drivers repeat a transaction after a transient error, and would change the layer twice. */
export function afterChange({ code, message }: BoltFailure): BoltFailure {
  return code.startsWith('Neo.TransientError.')
    ? new BoltFailure(
        'Neo.DatabaseError.Transaction.TransactionCommitFailed',
        `${message}; a layer keeps what a query changed before, so do not repeat it`,
      )
    : new BoltFailure(code, message);
}

/** @param report receives internal errors of the service */
export function boltFailure(error: unknown, report: (error: unknown) => void): BoltFailure {
  if (error instanceof BoltFailure) return error;
  if (error instanceof TypedQueryError) return new BoltFailure(OF_QUERIES[error.kind], error.message);
  if (error instanceof ClientGone)
    return new BoltFailure('Neo.TransientError.Transaction.Terminated', 'the query was canceled');
  const answer = toApiError(error);
  if (!(error instanceof ApiError)) report(error);
  const code =
    answer.code === 'timedOut'
      ? 'Neo.ClientError.Transaction.TransactionTimedOut'
      : (OF_STATUSES[answer.status] ??
        (answer.status < 500 ? 'Neo.ClientError.Request.Invalid' : 'Neo.DatabaseError.General.UnknownError'));
  return new BoltFailure(code, answer.message);
}
