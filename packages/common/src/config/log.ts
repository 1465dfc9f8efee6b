/** The log of the service: JSON lines on standard error, without secrets. */
import { type DestinationStream, destination, type Logger, pino } from 'pino';

const SECRETS = [
  'authorization',
  'Authorization',
  'signature',
  'Signature',
  'secret',
  'password',
  'otp',
  'token',
  'key',
  'cookie',
  'session_token',
];

/** Keeps only the explanation of an error, because database errors contain rows, and rows may contain secrets. */
function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return { type: name, message, code, stack, ...(cause === undefined ? {} : { cause: errorOf(cause) }) };
}

export function createLogger(level: string, stream: DestinationStream = destination(2)): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorOf },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '(secret)' },
    },
    stream,
  );
}
