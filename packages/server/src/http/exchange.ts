/** One request and its answer, as the steps of the pipeline hand it on. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@clew/common';
import type { Logger } from 'pino';
import type { Deadline } from './deadline.ts';

export interface Exchange {
  readonly requestId: string;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Path and query as routed: the request. */
  readonly target: string;
  /** Path and query byte for byte from the request line, without scheme and host: the signed part. */
  readonly rawTarget: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Address of the TCP connection. */
  readonly peerAddress: string;
  readonly clientAddress: string;
  readonly publicUrl: string;
  readonly deadline: Deadline;
  /** The client wants an answer from this published graph, or a newer one. */
  readonly generation?: number;
  readonly log: Logger;
  /** Known once authentication has run; for the log. */
  principal?: Principal;
}

/** Node joins repeated headers, but keeps some as lists. */
export function flattenHeaders(
  headers: IncomingMessage['headers'],
): Readonly<Record<string, string | undefined>> {
  const flat: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers))
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}
