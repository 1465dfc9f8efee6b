/** Describes an error in one line that tells the user what to do, with its exit code. */
import { AnswerError, ApiError, ConnectionError, TimeoutError } from '@clew/client';
import { printable } from './terminal/text.ts';

/** 0 is success, 1 that something failed or was not found, 2 that the command line is wrong. */
export const EXIT = { failed: 1, usage: 2, interrupted: 130 } as const;

/** A failure with a message for the user. All other errors are program errors. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Names the requested object if the service answers that it does not exist. @throws CommandError */
export async function orNotFound<T>(answer: Promise<T>, text: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new CommandError(text);
    throw error;
  }
}

const CONNECTION_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    'no service is listening there; "clew serve" starts the service, and CLEW_URL or --url sets another address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  ETIMEDOUT: 'the host does not respond',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not respond',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is not trusted; use NODE_EXTRA_CA_CERTS to trust additional CAs',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is not trusted; use NODE_EXTRA_CA_CERTS to trust additional CAs',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not trusted; use NODE_EXTRA_CA_CERTS to trust additional CAs',
};

const FILE_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'already exists',
  EISDIR: 'is a directory',
  ENOTDIR: 'is not a directory',
  ENOSPC: 'no space left on the device',
  EROFS: 'the file system is read-only',
};

/** @returns why a file could not be read or written, from the system error */
export const fileReason = (error: Error): string =>
  isSystemError(error) ? (FILE_REASONS[error.code] ?? error.message) : error.message;

/** @returns one line without a line break, safe to print */
export function describeFailure(error: unknown): string {
  return printable(reasonOf(error).trim());
}

function reasonOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (error instanceof ConnectionError) {
    const reason = CONNECTION_REASONS[error.code];
    return reason === undefined ? error.message : `cannot reach ${urlIn(error.message)}: ${reason}`;
  }
  if (error instanceof TimeoutError) return error.message;
  if (error instanceof AnswerError)
    return `this is not a response from Clew: ${error.message} (CLEW_URL or --url sets the address of the service)`;
  if (error instanceof ApiError) return apiReason(error);
  if (isSystemError(error) && error.path !== undefined) {
    return `${error.path}: ${fileReason(error)}`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return `unexpected: ${message}`;
}

const urlIn = (message: string): string => /https?:\/\/[^\s()]+/.exec(message)?.[0] ?? 'the service';

/** The public message for an environment that the user may not see, also if the request names none. */
const FOREIGN = 'User does not have permission to access this domain';

function apiReason(error: ApiError): string {
  const said = error.messages.join('; ') || `status ${error.status}`;
  switch (error.status) {
    case 401:
      return `not signed in, or the session has expired: ${said}; sign in with "clew login", or set CLEW_TOKEN_ID and CLEW_TOKEN_KEY`;
    case 403:
      return `not allowed: ${said === FOREIGN ? 'it covers environments outside your access' : said}`;
    case 429:
      return `too many requests, try again later: ${said}`;
    default:
      return error.status >= 500 && error.requestId !== undefined
        ? `the service failed: ${said} (request ${error.requestId})`
        : `the service says: ${said}`;
  }
}

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
}
