/** A request and its answer in the steps of the pipeline. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@clew/common';
import type { Logger } from 'pino';
import type { Deadline } from './deadline.ts';

export interface Exchange {
  readonly requestId: string;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Path and query used for routing. */
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
  /** The client requires an answer from this published graph, or a newer one. */
  readonly generation?: number;
  readonly log: Logger;
  /** Set after authentication; for the log. */
  principal?: Principal;
}

/** Node joins most repeated headers, but keeps some as lists. */
export function flattenHeaders(
  headers: IncomingMessage['headers'],
): Readonly<Record<string, string | undefined>> {
  const flat: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers))
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}
