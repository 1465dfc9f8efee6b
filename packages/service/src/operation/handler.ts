/** What a handler gets and gives back. Handlers know nothing of Fastify. */
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Principal } from './principal.ts';

export interface RequestContext {
  readonly requestId: string;
  readonly principal: Principal;
  /** Aborts when the client is gone or the deadline of `Prefer: wait` has passed: pass it on to all work. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; Infinity when limits are bypassed. */
  readonly deadline: number;
  readonly log: Logger;
  /** Address of the client, behind trusted proxies the one they tell. */
  readonly clientAddress: string;
  /** Address of the TCP connection. */
  readonly peerAddress: string;
  /** Base address of the service as the outside sees it, without trailing slash. */
  readonly publicUrl: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface RequestInput {
  /** Decoded once, validated against the contract. */
  readonly params: Readonly<Record<string, string>>;
  /** Validated and converted query parameters; a repeated one is an array where the contract says so. */
  readonly query: Readonly<Record<string, unknown>>;
  /** All parameters as they came, in order: filters (`name=gte:5`) are parsed from these. */
  readonly rawQuery: URLSearchParams;
  /** Validated JSON body, or the `FormData` of a form; `undefined` when the contract has none. */
  readonly body: unknown;
  /**
   * Decoded body for `bodyKind` `stream`. Fails with the error to answer when it is too large, broken, or its
   * signature does not fit, which shows at its end: commit nothing before.
   */
  readonly stream?: Readable;
}

/** `json` is sent as it is (wrap in `data` where the API says so); `text` and `stream` carry their media type. */
export type Answer =
  | { readonly status: number; readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status: number;
      readonly text: string;
      readonly mediaType: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly status: number;
      readonly stream: Readable;
      readonly mediaType: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export type Handler = (input: RequestInput, context: RequestContext) => Promise<Answer>;

/** Handlers by `operationId`. Each capability exports one such table. */
export type HandlerTable = Readonly<Record<string, Handler>>;
